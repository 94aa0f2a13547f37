// All texts of the page, by language. A further language is a further name in LANGUAGES and a further text in
// each entry. {hole}: what is put in; [shown](word): the word, with its meaning (an entry word.WORD) at hand.
// What the macros say, such as the reasons for an error, they say in English.

export const LANGUAGES = { en: "English", de: "Deutsch" };

export const TEXTS = {
  // What stands on the page from the beginning
  "page.title": {
    en: "Anonymize a table, here",
    de: "Eine Tabelle anonymisieren, hier",
  },
  "page.promise": {
    en: "Your table stays on this machine: the page reads it in the browser, and the browser lets it send nothing.",
    de: "Ihre Tabelle bleibt auf diesem Rechner: Die Seite liest sie im Browser, und der Browser lässt sie nichts senden.",
  },
  "page.language": { en: "Language", de: "Sprache" },
  "page.starting": { en: "Starting DuckDB …", de: "DuckDB startet …" },
  "page.no_start": {
    en: "DuckDB does not start here: {error}. A browser of the last three years has what it needs.",
    de: "DuckDB startet hier nicht: {error}. Ein Browser der letzten drei Jahre hat, was nötig ist.",
  },
  "page.footer": {
    en: "A release that meets its requirements is not private in any absolute sense: look at what the attacks learn.",
    de: "Auch eine Veröffentlichung, die alles Verlangte erfüllt, schützt nicht unbedingt: Sehen Sie nach, was die Angriffe erfahren.",
  },

  // 1. The table
  "table.title": { en: "Your table", de: "Ihre Tabelle" },
  "table.drop": { en: "Drop a CSV or Parquet file", de: "CSV- oder Parquet-Datei hierher ziehen" },
  "table.choose": { en: "or choose one", de: "oder eine auswählen" },
  "table.first_rows": { en: "Its first rows", de: "Die ersten Zeilen" },
  "table.first_rows_label": { en: "The first rows of your table", de: "Die ersten Zeilen Ihrer Tabelle" },
  "table.form": { en: "How the file is read", de: "Wie die Datei gelesen wird" },
  "table.missing": {
    en: "What stands for a missing value, separated by commas",
    de: "Was für einen fehlenden Wert steht, durch Kommas getrennt",
  },
  "table.names": {
    en: "Names of the columns, if the first line has none",
    de: "Namen der Spalten, wenn sie nicht in der ersten Zeile stehen",
  },
  "table.names_example": { en: "age, zip, disease", de: "Alter, PLZ, Diagnose" },
  "table.reread": { en: "Read it so", de: "So lesen" },
  "table.reading": { en: "Reading {name} …", de: "{name} wird gelesen …" },
  "table.read": { en: "{name}: {rows} rows, {columns} columns.", de: "{name}: {rows} Zeilen, {columns} Spalten." },
  "table.read_missing": { en: "Read as missing: {texts}.", de: "Als fehlend gelesen: {texts}." },
  "table.encoding": {
    en: "It is not UTF-8 text: it is read as {encoding}.",
    de: "Der Text ist nicht UTF-8: Er wird als {encoding} gelesen.",
  },
  "table.empty": { en: "{name} is empty", de: "{name} ist leer" },
  "table.no_header": { en: "{name} is empty: it has no header", de: "{name} ist leer: Die Kopfzeile fehlt" },
  "table.spreadsheet": {
    en: "{name} is a spreadsheet, or another packed file: save it as CSV, and drop that here",
    de: "{name} ist eine Mappe einer Tabellenkalkulation oder sonst eine gepackte Datei: Speichern Sie sie als CSV, und ziehen Sie diese hierher",
  },
  "table.other_kind": { en: "{name} is neither CSV nor Parquet", de: "{name} ist weder CSV noch Parquet" },
  "table.no_utf8": { en: "{name}: this is not UTF-8 text", de: "{name}: Das ist kein UTF-8-Text" },
  "table.wrong_names": {
    en: "{name} has {columns} columns, and {names} names are given for them",
    de: "{name} hat {columns} Spalten, und dafür stehen {names} Namen da",
  },
  "table.the_names": { en: "the names", de: "Namensliste" },
  "table.two_columns": {
    en: "{name} has two columns {column}, which are the same to SQL: rename one",
    de: "{name}: zwei Spalten heißen {column}; für SQL sind sie dieselbe: Benennen Sie eine um",
  },
  "table.two_alike": {
    en: "{name} has the columns {other} and {column}, which are the same to SQL: rename one",
    de: "{name} hat die Spalten {other} und {column}; für SQL sind sie dieselbe: Benennen Sie eine um",
  },
  "table.like_data": {
    en: "The first line looks like data, not like names, in {some} of {columns} columns. If there is no header, give a name for each column.",
    de: "Die erste Zeile sieht in {some} von {columns} Spalten nach Daten aus, nicht nach Namen. Gibt es keine Kopfzeile, so nennen Sie einen Namen für jede Spalte.",
  },
  "table.line": { en: "{name}, line {line}", de: "{name}, Zeile {line}" },
  "table.fields": { en: "{at}: {found} fields, the header has {wanted}", de: "{at}: {found} Felder, die Kopfzeile hat {wanted}" },
  "table.quote": {
    en: "{at}: a quote does not end, or one within a field is not doubled",
    de: "{at}: Ein Anführungszeichen bleibt offen, oder eines in einem Feld ist nicht verdoppelt",
  },
  "table.no_csv": { en: "{at}: this is not CSV as in RFC 4180", de: "{at}: Das ist kein CSV wie in RFC 4180" },
  "table.unreadable": { en: "{name} cannot be read: {error}", de: "{name} kann nicht gelesen werden: {error}" },
  "table.no_parquet": {
    en: "{name} is not Parquet that can be read: {error}",
    de: "{name} ist kein Parquet, das gelesen werden kann: {error}",
  },
  "table.no_parquet_here": { en: "{name}: Parquet cannot be read here", de: "{name}: Parquet kann hier nicht gelesen werden" },
  "table.no_memory": {
    en: "this takes more memory than the browser has. Fewer columns, or columns recoded to ranges and sets, need less; the command line has more ({error})",
    de: "das braucht mehr Speicher, als der Browser hat. Weniger Spalten oder Bereiche und Mengen statt Hierarchien brauchen weniger; die Kommandozeile hat mehr ({error})",
  },

  // 2. Columns
  "columns.title": { en: "What the columns are", de: "Was die Spalten sind" },
  "columns.about": {
    en: "These are guesses, from names and counts. Look at each one. An [identifier](identifier) says who somebody is. A [quasi-identifier](qi) is what others may know, and is made coarser. A [sensitive](sensitive) column is what they should not learn.",
    de: "Das ist geraten, nach Namen und Anzahlen. Sehen Sie jede Spalte an. Ein [Identifikator](identifier) sagt, wer jemand ist. Ein [Quasi-Identifikator](qi) ist, was andere wissen können; er wird vergröbert. Eine [sensible](sensitive) Spalte ist, was sie nicht erfahren sollen.",
  },
  "columns.column": { en: "Column", de: "Spalte" },
  "columns.role": { en: "Role", de: "Rolle" },
  "columns.recoded": { en: "Recoded to", de: "Vergröbert zu" },
  "columns.read_as": { en: "Read as", de: "Gelesen als" },
  "columns.confirm": { en: "These roles are right", de: "Diese Rollen stimmen" },
  "columns.seen": { en: "{type}, {distinct} distinct", de: "{type}, {distinct} verschiedene" },
  "columns.nulls": { en: ", {nulls} NULL", de: ", {nulls} NULL" },
  "columns.missing": { en: ", {texts}: missing?", de: ", {texts}: fehlend?" },
  "columns.as_found": { en: "as found", de: "wie gefunden" },
  "columns.role_of": { en: "Role of {column}", de: "Rolle von {column}" },
  "columns.recoded_to": { en: "{column} is recoded to", de: "{column} wird vergröbert zu" },
  "columns.is_read_as": { en: "{column} is read as", de: "{column} wird gelesen als" },
  "columns.steps_of": { en: "Widths of the intervals of {column}", de: "Breiten der Intervalle von {column}" },
  "columns.breaks_of": { en: "Bounds of the intervals of {column}", de: "Grenzen der Intervalle von {column}" },
  "columns.file_of": { en: "Hierarchy of {column}", de: "Hierarchie von {column}" },
  "columns.level_of": { en: "Level of {column}", de: "Stufe von {column}" },
  "columns.level": { en: "level", de: "Stufe" },
  "columns.choose_file": { en: "Choose a file", de: "Datei auswählen" },
  "columns.no_file": {
    en: "{column}: choose the file of its hierarchy, one line per value, as in ARX: 80331;80;*",
    de: "{column}: Wählen Sie die Datei der Hierarchie, eine Zeile je Wert, wie bei ARX: 80331;80;*",
  },
  "columns.no_numbers": {
    en: "{column}: say the numbers, separated by commas, such as {example}",
    de: "{column}: Nennen Sie die Zahlen, durch Kommas getrennt, etwa {example}",
  },
  "columns.may_be_unit": {
    en: "{column} has {distinct} distinct values in {rows} rows. If it says whose a row is, people must be counted, not rows: give it the role “person of the row”.",
    de: "{column} hat {distinct} verschiedene Werte in {rows} Zeilen. Sagt sie, wessen Zeile es ist, so müssen Personen gezählt werden, nicht Zeilen: Geben Sie ihr die Rolle „Person der Zeile“.",
  },
  "columns.several_formats": {
    en: "{column} is text, and recoded to sets of single values. Choose how it is read: {formats}.",
    de: "{column} ist Text und wird zu Mengen einzelner Werte. Wählen Sie, wie sie gelesen wird: {formats}.",
  },
  "columns.one_format": {
    en: "{column} is read as “{format}”: {shown}.",
    de: "{column} wird als „{format}“ gelesen: {shown}.",
  },
  "columns.or": { en: " or ", de: " oder " },
  "columns.not_exact": {
    en: "{column} is text, as its values would not leave as they are written if they were read as {type}: choose “{type}” to read them so ({shown}).",
    de: "{column} ist Text, denn als {type} gelesen gingen ihre Werte nicht so hinaus, wie sie dastehen: Wählen Sie „{type}“, um sie so zu lesen ({shown}).",
  },
  "columns.wrong_type": {
    en: "column {column}, row {row}: the value is not of type {type}",
    de: "Spalte {column}, Zeile {row}: Der Wert ist nicht vom Typ {type}",
  },
  "columns.wrong_others": { en: ", nor are {others} others", de: ", ebenso wenig {others} weitere" },
  "columns.two_units": {
    en: "{columns} cannot all say whose a row is: one column can",
    de: "{columns} können nicht alle sagen, wessen Zeile es ist: nur eine Spalte kann das",
  },

  "role.identifier": { en: "identifier: never leaves", de: "Identifikator: geht nie hinaus" },
  "role.qi": { en: "quasi-identifier: recoded", de: "Quasi-Identifikator: vergröbert" },
  "role.sensitive": { en: "sensitive: leaves as it is", de: "sensibel: geht hinaus, wie sie ist" },
  "role.keep": { en: "kept: leaves as it is", de: "behalten: geht hinaus, wie sie ist" },
  "role.unit": { en: "person of the row: counted, never leaves", de: "Person der Zeile: gezählt, geht nie hinaus" },
  "role.none": { en: "not released", de: "nicht veröffentlicht" },

  "builder.ranges": { en: "ranges and sets", de: "Bereiche und Mengen" },
  "builder.none": { en: "its own value or *", de: "eigener Wert oder *" },
  "builder.interval": { en: "intervals: widths", de: "Intervalle: Breiten" },
  "builder.breaks": { en: "intervals: bounds", de: "Intervalle: Grenzen" },
  "builder.mask": { en: "masked digits", de: "verdeckte Ziffern" },
  "builder.date": { en: "months to decades", de: "Monate bis Jahrzehnte" },
  "builder.icd10": { en: "categories and chapters (ICD-10)", de: "Kategorien und Kapitel (ICD-10)" },
  "builder.flat": { en: "the value, then *", de: "der Wert, dann *" },
  "builder.file": { en: "a file of mine", de: "eigene Datei" },

  // 3. Requirements and method
  "required.title": { en: "What is required", de: "Was verlangt wird" },
  "required.no_values": {
    en: "No column is sensitive: only k can be required.",
    de: "Keine Spalte ist sensibel: Nur k kann verlangt werden.",
  },
  "required.no_number": { en: "{name}: {id} must be a number", de: "{name}: {id} muss eine Zahl sein" },
  "required.k": { en: "Every class has {value} rows or more that look alike.", de: "Jede Klasse hat mindestens {value} Zeilen, die gleich aussehen." },
  "required.k_people": { en: "Every class has {value} people or more who look alike.", de: "Jede Klasse hat mindestens {value} Personen, die gleich aussehen." },
  "required.l": { en: "Every class has {value} sensitive values or more.", de: "Jede Klasse hat mindestens {value} sensible Werte." },
  "required.entropy_l": {
    en: "They are as mixed as {value} equally frequent values.",
    de: "Sie sind so gemischt wie {value} gleich häufige Werte.",
  },
  "required.alpha": {
    en: "No sensitive value has a larger share of a class than {value}.",
    de: "Kein sensibler Wert hat einen größeren Anteil an einer Klasse als {value}.",
  },
  "required.t": {
    en: "A class’s sensitive values are no farther from those of all than {value}.",
    de: "Die sensiblen Werte einer Klasse sind von denen aller höchstens {value} entfernt.",
  },
  "method.title": { en: "How it is anonymized", de: "Wie anonymisiert wird" },
  "method.label": { en: "Method", de: "Verfahren" },
  "method.mondrian": { en: "Mondrian", de: "Mondrian" },
  "method.optimal": { en: "Best levels (optimal)", de: "Beste Stufen (optimal)" },
  "method.samarati": { en: "Lowest levels (Samarati)", de: "Niedrigste Stufen (Samarati)" },
  "method.datafly": { en: "Datafly", de: "Datafly" },
  "method.generalize": { en: "Levels of my choice", de: "Stufen meiner Wahl" },
  "method.k_similar": { en: "k-Similar", de: "k-Similar" },
  "method.microaggregate": { en: "Microaggregation", de: "Mikroaggregation" },
  "method.mu_argus": { en: "Single cells hidden (mu-Argus)", de: "Einzelne Zellen verdeckt (mu-Argus)" },
  "method.anatomize": { en: "Values in buckets (Anatomy)", de: "Werte in Gruppen (Anatomy)" },
  "method.mondrian.about": {
    en: "Cuts the table in half again and again, as long as both halves meet what is required. It loses little, and leaves no row out.",
    de: "Teilt die Tabelle immer wieder in Hälften, solange beide das Verlangte erfüllen. Verliert wenig und lässt keine Zeile weg.",
  },
  "method.optimal.about": {
    en: "All values of a column get labels of one [level](level); of all combinations of levels the one that loses least. Rows of classes that violate a requirement are left out.",
    de: "Alle Werte einer Spalte erhalten Bezeichnungen einer [Stufe](level); von allen Kombinationen die, die am wenigsten verliert. Zeilen von Klassen, die etwas verletzen, werden weggelassen.",
  },
  "method.samarati.about": {
    en: "The same with the lowest sum of [levels](level).",
    de: "Dasselbe mit der kleinsten Summe von [Stufen](level).",
  },
  "method.datafly.about": {
    en: "The column with the most values goes up a [level](level), again and again, until few enough rows have to be left out.",
    de: "Die Spalte mit den meisten Werten steigt um eine [Stufe](level), immer wieder, bis wenige genug Zeilen wegzulassen sind.",
  },
  "method.generalize.about": {
    en: "Each column gets the [level](level) that you choose above, beside its hierarchy.",
    de: "Jede Spalte erhält die [Stufe](level), die Sie oben neben ihrer Hierarchie wählen.",
  },
  "method.k_similar.about": {
    en: "Groups of similar rows, each with labels that just cover it. Groups may overlap.",
    de: "Gruppen ähnlicher Zeilen, jede mit Bezeichnungen, die sie gerade umfassen. Gruppen können sich überschneiden.",
  },
  "method.microaggregate.about": {
    en: "Groups of similar rows, all with the mean of the group.",
    de: "Gruppen ähnlicher Zeilen, alle mit dem Mittel der Gruppe.",
  },
  "method.mu_argus.about": {
    en: "Values stay, but rare ones are hidden (*). Every combination is that of k rows if a hidden cell counts as any value. Takes k alone.",
    de: "Werte bleiben, seltene werden verdeckt (*). Jede Kombination haben k Zeilen, wenn eine verdeckte Zelle als jeder Wert zählt. Kennt nur k.",
  },
  "method.anatomize.about": {
    en: "Quasi-identifiers stay; the sensitive values are released for groups of l rows or more, all different. It does not hide that somebody is in the table. Takes l alone, and one sensitive column.",
    de: "Quasi-Identifikatoren bleiben; die sensiblen Werte gehen für Gruppen von mindestens l Zeilen hinaus, alle verschieden. Verbirgt nicht, dass jemand in der Tabelle ist. Kennt nur l und eine sensible Spalte.",
  },
  "method.suppression": { en: "Rows that may be left out, in %", de: "Zeilen, die wegfallen dürfen, in %" },
  "method.suppression.about": {
    en: "Without it a few rare people decide how coarse everybody is.",
    de: "Ohne das bestimmen wenige seltene Personen, wie grob alle werden.",
  },
  "method.no_unit": {
    en: "{method} is not checked here for people with several rows: take another method, or the command line with the policy",
    de: "{method} wird hier für Personen mit mehreren Zeilen nicht geprüft: Nehmen Sie ein anderes Verfahren oder die Kommandozeile mit der Richtlinie",
  },

  // 4. The release
  "release.title": { en: "The release", de: "Die Veröffentlichung" },
  "release.at_work": { en: "At work …", de: "In Arbeit …" },
  "release.checking": { en: "Checking …", de: "Wird geprüft …" },
  "release.checking_together": { en: "Checking together with {earlier} …", de: "Wird zusammen mit {earlier} geprüft …" },
  "release.measuring": { en: "Measuring what it tells and loses …", de: "Es wird gemessen, was sie verrät und verliert …" },
  "release.seconds": { en: "{seconds} s", de: "{seconds} s" },
  "release.progress": { en: "at work", de: "in Arbeit" },
  "release.no_qi": {
    en: "no column is a quasi-identifier: say by which somebody could be recognized",
    de: "keine Spalte ist Quasi-Identifikator: Sagen Sie, woran jemand zu erkennen wäre",
  },
  "release.nothing_required": {
    en: "nothing is required: choose k, or another requirement",
    de: "nichts ist verlangt: Wählen Sie k oder etwas anderes",
  },
  "release.holds": { en: "It holds", de: "Es hält" },
  "release.none": { en: "No release", de: "Keine Veröffentlichung" },
  "release.names_people": { en: "It names people", de: "Sie nennt Personen" },
  "release.may_name_people": { en: "It may name people", de: "Sie nennt vielleicht Personen" },
  "release.too_much": { en: "Together they tell too much", de: "Zusammen verraten sie zu viel" },
  "release.unknown_together": { en: "Not known together", de: "Zusammen nicht bekannt" },
  "release.met": {
    en: "Each of {classes} classes meets {met}, by a query over the finished release; it has all {rows} rows.",
    de: "Jede von {classes} Klassen erfüllt {met}, nach einer Abfrage über die fertige Veröffentlichung; sie hat alle {rows} Zeilen.",
  },
  "release.met_without": {
    en: "Each of {classes} classes meets {met}, by a query over the finished release; it has {rows} of {had} rows: {suppressed} are left out.",
    de: "Jede von {classes} Klassen erfüllt {met}, nach einer Abfrage über die fertige Veröffentlichung; sie hat {rows} von {had} Zeilen: {suppressed} sind weggelassen.",
  },
  "release.fault": {
    en: "the check of the finished release has found {violations} violations, and {rows} of {had} rows: it is not released. This is a fault of sqlanon",
    de: "die Prüfung der fertigen Veröffentlichung hat {violations} Verletzungen gefunden und {rows} von {had} Zeilen: Sie wird nicht herausgegeben. Das ist ein Fehler von sqlanon",
  },
  "release.leaves": { en: "{column} leaves {how}: {reason}.", de: "{column} geht hinaus ({how}): {reason}." },
  "release.another_role": {
    en: "Give such a column another role. Or take the policy with you, and say there why it may leave: [direct] {column} = \"why\".",
    de: "Geben Sie einer solchen Spalte eine andere Rolle. Oder nehmen Sie die Richtlinie mit, und sagen Sie dort, warum sie hinausdarf: [direct] {column} = \"warum\".",
  },
  "release.before_after": { en: "Before and after", de: "Vorher und nachher" },
  "release.before_after_about": {
    en: "The first rows of each. Those of the release are in another order.",
    de: "Von beiden die ersten Zeilen. Die der Veröffentlichung stehen in anderer Reihenfolge.",
  },
  "release.first_rows_label": { en: "The first rows of the release", de: "Die ersten Zeilen der Veröffentlichung" },
  "release.leaving": { en: "What leaves", de: "Was hinausgeht" },
  "release.leaving_about": {
    en: "Every column of the release. Whether one names people is guessed from all of its values and its name.",
    de: "Jede Spalte der Veröffentlichung. Ob eine Personen nennt, ist nach allen ihren Werten und ihrem Namen geraten.",
  },
  "release.leaves_how": { en: "Leaves", de: "Geht hinaus" },
  "release.looks_like": { en: "Looks like", de: "Sieht aus wie" },
  "release.values": { en: "Values", de: "Werte" },
  "release.own_values": { en: "Rows with a value of their own", de: "Zeilen mit eigenem Wert" },
  "release.own_values_people": { en: "Values that one person has", de: "Werte nur einer Person" },
  "release.names": { en: "names people", de: "nennt Personen" },
  "release.not_known": { en: "not known", de: "nicht bekannt" },
  "how.recoded": { en: "recoded", de: "vergröbert" },
  "how.unchanged": { en: "unchanged", de: "unverändert" },
  "release.not_found": { en: "This could not be found out: {error}", de: "Das war nicht herauszufinden: {error}" },

  "classes.caption": { en: "[Classes](class) by their size. People in a class look alike.", de: "[Klassen](class) nach ihrer Größe. In einer Klasse sehen alle gleich aus." },
  "classes.smallest": { en: "The smallest classes", de: "Die kleinsten Klassen" },
  "classes.classes": { en: "classes", de: "Klassen" },
  "classes.in_smallest": { en: "{unit} in the smallest", de: "{unit} in der kleinsten" },
  "classes.average": { en: "{unit} in a class, on average", de: "{unit} in einer Klasse im Mittel" },
  "classes.alone": {
    en: "of the {unit} of your table are alone with their values",
    de: "der {unit} Ihrer Tabelle stehen mit ihren Werten allein",
  },
  "classes.bar": { en: "{classes} classes of {range}", de: "{classes} Klassen von {range}" },
  "classes.by_size": { en: "Classes by size: {bars}", de: "Klassen nach Größe: {bars}" },
  "unit.rows": { en: "rows", de: "Zeilen" },
  "unit.people": { en: "people", de: "Personen" },

  "attack.title": { en: "What an attacker learns", de: "Was ein Angreifer erfährt" },
  "attack.about": {
    en: "Somebody knows that a person is in the table, and all of the person’s quasi-identifiers.",
    de: "Jemand weiß, dass eine Person in der Tabelle ist, und kennt alle ihre Quasi-Identifikatoren.",
  },
  "attack.highest": { en: "[Probability of re-identification](re_identification), the highest: your table", de: "[Wahrscheinlichkeit, erkannt zu werden](re_identification), höchste: Ihre Tabelle" },
  "attack.mean": { en: "Probability of re-identification, the mean: your table", de: "Wahrscheinlichkeit, erkannt zu werden, im Mittel: Ihre Tabelle" },
  "attack.of_release": { en: "the same: the release", de: "dieselbe: die Veröffentlichung" },
  "attack.certain": { en: "{column}: [certain of](certain)", de: "{column}: [sicher bei](certain)" },
  "attack.sure": { en: "{column}: [at least 90 % sure of](sure)", de: "{column}: [zu mindestens 90 % sicher bei](sure)" },
  "attack.expected": { en: "{column}: [guesses expected right](expected)", de: "{column}: [richtig geraten, zu erwarten](expected)" },
  "attack.baseline": { en: "{column}: [the same without the release](baseline)", de: "{column}: [dasselbe ohne die Veröffentlichung](baseline)" },
  "together.title": { en: "Together with a release that is out already", de: "Zusammen mit einer, die schon draußen ist" },
  "together.about": {
    en: "Two releases can tell together what neither tells alone. Drop an earlier release of the same people, with the same columns:",
    de: "Zwei Veröffentlichungen können zusammen verraten, was keine allein verrät. Ziehen Sie eine frühere derselben Personen hierher, mit denselben Spalten:",
  },
  "together.drop": { en: "Drop an earlier release", de: "Frühere Veröffentlichung hierher ziehen" },
  "together.kinds": { en: "CSV or Parquet", de: "CSV oder Parquet" },
  "together.no_sensitive": { en: "No column is sensitive: there is nothing to learn.", de: "Keine Spalte ist sensibel: Es gibt nichts zu erfahren." },
  "together.nothing": { en: "With {earlier} there is nothing to learn: no column is sensitive.", de: "Mit {earlier} gibt es nichts zu erfahren: Keine Spalte ist sensibel." },
  "together.attacking": { en: "Attacking the release together with {earlier} …", de: "Beide werden zusammen angegriffen, mit {earlier} …" },
  "together.some": { en: "{some} of {all} people", de: "{some} von {all} Personen" },
  "together.all": { en: "all {all} people", de: "alle {all} Personen" },
  "together.of": {
    en: "With {earlier}, of {people}. PVP_100 is the share of those of whom the two together leave one value only.",
    de: "Mit {earlier}, über {people}. PVP_100 ist der Anteil derer, bei denen beide zusammen nur einen Wert übrig lassen.",
  },
  "together.alone": {
    en: "Alone it meets what is required. Take the policy with you: sqlanon publish judges it together with all that is out.",
    de: "Allein erfüllt sie das Verlangte. Nehmen Sie die Richtlinie mit: sqlanon publish prüft sie zusammen mit allem, was draußen ist.",
  },
  "together.nobody": { en: "With {earlier}, nobody is left with one value.", de: "Mit {earlier} bleibt niemandem nur ein Wert." },
  "together.certain_of": { en: "certain of {people} people", de: "sicher bei {people} Personen" },
  "together.tell": { en: "With {earlier}, {told}.", de: "Mit {earlier}: {told}." },
  "together.not_compared": { en: "{earlier} could not be compared.", de: "{earlier} war nicht zu vergleichen." },

  "reached.title": { en: "What every model reaches", de: "Was jedes Modell erreicht" },
  "reached.model": { en: "Model", de: "Modell" },
  "reached.sensitive": { en: "Sensitive", de: "Sensibel" },
  "lost.title": { en: "What is lost", de: "Was verloren geht" },
  "lost.all": { en: "[Loss over all columns](loss) (0: none, 1: everything)", de: "[Verlust über alle Spalten](loss) (0: keiner, 1: alles)" },
  "lost.column": { en: "Loss of {column}", de: "Verlust von {column}" },
  "lost.counts": { en: "[Error of random counts over ranges](counts), median", de: "[Fehler zufälliger Zählungen über Bereiche](counts), Median" },
  "lost.suppressed": { en: "Rows that are left out", de: "Zeilen, die weggelassen sind" },
  "take.title": { en: "Take it with you", de: "Mitnehmen" },
  "take.about": { en: "As long as the verdict stands.", de: "Solange das Urteil steht." },
  "take.csv": { en: "Release, CSV", de: "Veröffentlichung, CSV" },
  "take.parquet": { en: "Release, Parquet", de: "Veröffentlichung, Parquet" },
  "take.policy": { en: "Policy, TOML", de: "Richtlinie, TOML" },
  "take.sql": { en: "SQL", de: "SQL" },

  // Models, by the ids that privacy gives them
  "model.k": { en: "k-anonymity", de: "k-Anonymität" },
  "model.l": { en: "distinct l-diversity", de: "l-Diversität (verschiedene)" },
  "required.l_name": { en: "l-diversity", de: "l-Diversität" },
  "model.entropy_l": { en: "entropy l-diversity", de: "l-Diversität (Entropie)" },
  "model.recursive_c": { en: "recursive (c, l)-diversity", de: "rekursive (c, l)-Diversität" },
  "model.alpha": { en: "(alpha, k)-anonymity", de: "(alpha, k)-Anonymität" },
  "model.t": { en: "t-closeness", de: "t-Closeness" },
  "model.t_equal": { en: "t-closeness (equal)", de: "t-Closeness (gleich)" },
  "model.t_ordered": { en: "t-closeness (ordered)", de: "t-Closeness (geordnet)" },
  "model.beta": { en: "beta-likeness (basic)", de: "beta-Likeness (einfach)" },
  "model.enhanced_beta": { en: "beta-likeness (enhanced)", de: "beta-Likeness (verschärft)" },
  "model.delta_disclosure": { en: "delta-disclosure", de: "delta-Disclosure" },

  // What words mean, a sentence each
  "word.qi": {
    en: "A column that others may know about a person, such as age, postcode or sex. Together such columns can single somebody out.",
    de: "Eine Spalte, die andere von jemandem kennen können: Alter, Postleitzahl, Geschlecht. Zusammen können sie jemanden herausgreifen.",
  },
  "word.sensitive": {
    en: "What nobody should learn about a person, such as a disease. It leaves as it is.",
    de: "Was niemand über jemanden erfahren soll, etwa eine Krankheit. Es geht hinaus, wie es ist.",
  },
  "word.identifier": {
    en: "A column that says by itself who somebody is, such as a name or a number. It never leaves.",
    de: "Eine Spalte, die allein sagt, wer jemand ist, etwa Name oder Nummer. Sie geht nie hinaus.",
  },
  "word.level": {
    en: "Of a hierarchy: level 0 is the value itself, level 1 the first, finest label, and so on up to *.",
    de: "Einer Hierarchie: Stufe 0 ist der Wert selbst, Stufe 1 die erste, feinste Bezeichnung, und so weiter bis *.",
  },
  "word.class": {
    en: "The rows that look alike: all their released quasi-identifiers are the same.",
    de: "Die Zeilen, die gleich aussehen: Alle ihre veröffentlichten Quasi-Identifikatoren sind gleich.",
  },
  "word.k": { en: "Everybody is one of at least k rows that look alike.", de: "Alle sind eine von mindestens k Zeilen, die gleich aussehen." },
  "word.l": { en: "Every class has at least l different sensitive values.", de: "Jede Klasse hat mindestens l verschiedene sensible Werte." },
  "word.entropy_l": {
    en: "The sensitive values of every class are as evenly mixed as l equally frequent ones.",
    de: "Die sensiblen Werte jeder Klasse sind so gleichmäßig gemischt wie l gleich häufige.",
  },
  "word.recursive_c": {
    en: "In no class is the most frequent sensitive value much more frequent than the rarer ones together.",
    de: "In keiner Klasse ist der häufigste sensible Wert viel häufiger als die selteneren zusammen.",
  },
  "word.alpha": {
    en: "No sensitive value has more than the share alpha of a class.",
    de: "Kein sensibler Wert hat mehr als den Anteil alpha an einer Klasse.",
  },
  "word.t": {
    en: "The sensitive values of a class are distributed as those of the whole table are, but for a distance t.",
    de: "Die sensiblen Werte einer Klasse sind verteilt wie die der ganzen Tabelle, bis auf einen Abstand t.",
  },
  "word.t_ordered": {
    en: "The same, where neighbouring values are nearer than others.",
    de: "Dasselbe, wobei benachbarte Werte einander näher sind als andere.",
  },
  "word.t_equal": {
    en: "The sensitive values of a class are distributed as those of the whole table are, but for a distance t.",
    de: "Die sensiblen Werte einer Klasse sind verteilt wie die der ganzen Tabelle, bis auf einen Abstand t.",
  },
  "word.beta": {
    en: "How many times more frequent a sensitive value is in a class than in the whole table, less 1: the largest of all.",
    de: "Wievielmal häufiger ein sensibler Wert in einer Klasse ist als in der ganzen Tabelle, minus 1: das Größte von allen.",
  },
  "word.enhanced_beta": {
    en: "The same, with a stricter bound for values that are frequent anyway.",
    de: "Dasselbe, mit einer strengeren Grenze für Werte, die ohnehin häufig sind.",
  },
  "word.delta_disclosure": {
    en: "How much the share of a sensitive value in a class differs from that in the whole table, as a logarithm: the largest of all.",
    de: "Wie sehr der Anteil eines sensiblen Werts in einer Klasse von dem in der ganzen Tabelle abweicht, als Logarithmus: das Größte von allen.",
  },
  "word.re_identification": {
    en: "Somebody looks for a person in the release, and picks a row that looks like theirs. How probably is it the right one?",
    de: "Jemand sucht eine Person in der Veröffentlichung und greift eine Zeile heraus, die wie ihre aussieht. Wie wahrscheinlich ist es die richtige?",
  },
  "word.certain": {
    en: "All rows of the class have one value: who finds the class knows the value.",
    de: "Alle Zeilen der Klasse haben einen Wert: Wer die Klasse findet, kennt ihn.",
  },
  "word.sure": {
    en: "Nine of ten rows of the class, or more, have one value.",
    de: "Neun von zehn Zeilen der Klasse oder mehr haben einen Wert.",
  },
  "word.expected": {
    en: "Somebody always guesses the most frequent value of the class. So often are they right.",
    de: "Jemand rät immer den häufigsten Wert der Klasse. So oft stimmt es.",
  },
  "word.baseline": {
    en: "Somebody always guesses the most frequent value of the whole table, without the release. So often are they right.",
    de: "Jemand rät immer den häufigsten Wert der ganzen Tabelle, ohne die Veröffentlichung. So oft stimmt es.",
  },
  "word.loss": {
    en: "0: nothing is coarser than in your table. 1: everything is one label. (The GCP, and the NCP of each column.)",
    de: "0: Nichts ist gröber als in Ihrer Tabelle. 1: Alles ist eine Bezeichnung. (Der GCP, und der NCP jeder Spalte.)",
  },
  "word.counts": {
    en: "Questions such as: how many people are from 20 to 35? Half of the answers from the release are off by less than this.",
    de: "Fragen wie: Wie viele sind zwischen 20 und 35? Die Hälfte der Antworten aus der Veröffentlichung liegt um weniger daneben.",
  },
};
