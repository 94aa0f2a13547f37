// All texts of the page, by language, for natives to correct: {hole} is what is put in; [shown](word) is a word
// with its meaning (an entry word.WORD) at hand. A further language is a further name in LANGUAGES and a further
// text in each entry. What the macros say, such as the reasons for an error, they say in English.

import { MEANINGS } from "./meanings.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

export const TEXTS = {
  ...MEANINGS,

  // What stands on the page from the beginning
  "page.title": {
    en: "Anonymize a table",
    de: "Eine Tabelle anonymisieren",
    fr: "Anonymiser un tableau",
  },
  "page.promise": {
    en: "Your table stays on this machine: the page reads it in the browser, and the browser forbids the page to send anything.",
    de: "Ihre Tabelle bleibt auf diesem Rechner: Die Seite liest sie im Browser, und der Browser verbietet der Seite, etwas zu senden.",
    fr: "Votre tableau reste sur cet ordinateur : la page le lit dans le navigateur, et celui-ci lui interdit d’envoyer quoi que ce soit.",
  },
  "page.language": {
    en: "Language",
    de: "Sprache",
    fr: "Langue",
  },
  "page.starting": {
    en: "Starting DuckDB …",
    de: "DuckDB startet …",
    fr: "Démarrage de DuckDB …",
  },
  "page.no_start": {
    en: "DuckDB does not start here: {error}. A browser of the last three years has what it needs.",
    de: "DuckDB startet hier nicht: {error}. Nötig ist ein Browser, der höchstens drei Jahre alt ist.",
    fr: "DuckDB ne démarre pas ici : {error}. Il faut un navigateur de moins de trois ans.",
  },
  "page.footer": {
    en: "Data that meet all requirements are not safe in every respect: look at what attackers learn from them.",
    de: "Auch Daten, die alle Anforderungen erfüllen, sind nicht in jeder Hinsicht sicher: Sehen Sie nach, was Angreifer daraus erfahren.",
    fr: "Même des données qui satisfont à toutes les exigences ne sont pas sûres à tous égards : regardez ce que des attaquants en apprennent.",
  },

  // 1. The table
  "table.title": {
    en: "Your table",
    de: "Ihre Tabelle",
    fr: "Votre tableau",
  },
  "table.drop": {
    en: "Drop a CSV, Excel (.xlsx) or Parquet file",
    de: "CSV-, Excel- (.xlsx) oder Parquet-Datei hierher ziehen",
    fr: "Déposez ici un fichier CSV, Excel (.xlsx) ou Parquet",
  },
  "table.choose": {
    en: "or choose one",
    de: "oder eine auswählen",
    fr: "ou choisissez-en un",
  },
  "table.first_rows": {
    en: "Its first rows",
    de: "Die ersten Zeilen",
    fr: "Les premières lignes",
  },
  "table.first_rows_label": {
    en: "The first rows of your table",
    de: "Die ersten Zeilen Ihrer Tabelle",
    fr: "Les premières lignes de votre tableau",
  },
  "table.form": {
    en: "How the file is read",
    de: "Wie die Datei gelesen wird",
    fr: "Comment le fichier est lu",
  },
  "table.missing": {
    en: "Texts that mean “missing”, separated by commas",
    de: "Texte, die „fehlt“ bedeuten, durch Kommas getrennt",
    fr: "Textes qui signifient « manquant », séparés par des virgules",
  },
  "table.names": {
    en: "Names of the columns, if the first line has none",
    de: "Namen der Spalten, wenn sie nicht in der ersten Zeile stehen",
    fr: "Noms des colonnes, s’ils ne sont pas sur la première ligne",
  },
  "table.names_example": {
    en: "age, zip, disease",
    de: "Alter, PLZ, Diagnose",
    fr: "âge, code postal, diagnostic",
  },
  "table.reread": {
    en: "Read it again",
    de: "Neu lesen",
    fr: "Relire",
  },
  "table.reading": {
    en: "Reading {name} …",
    de: "{name} wird gelesen …",
    fr: "Lecture de {name} …",
  },
  "table.read": {
    en: "{name}: {rows} rows, {columns} columns.",
    de: "{name}: {rows} Zeilen, {columns} Spalten.",
    fr: "{name} : {rows} lignes, {columns} colonnes.",
  },
  "table.read_missing": {
    en: "Taken as missing: {texts}.",
    de: "Als fehlend gelten: {texts}.",
    fr: "Considéré comme manquant : {texts}.",
  },
  "table.encoding": {
    en: "It is not UTF-8 text: it is read as {encoding}.",
    de: "Der Text ist nicht UTF-8: Er wird als {encoding} gelesen.",
    fr: "Le texte n’est pas en UTF-8 : il est lu en {encoding}.",
  },
  "table.empty": {
    en: "{name} is empty",
    de: "{name} ist leer",
    fr: "{name} est vide",
  },
  "table.no_header": {
    en: "{name} is empty: it has no header",
    de: "{name} ist leer: Die Kopfzeile fehlt",
    fr: "{name} est vide : il n’y a pas de ligne d’en-tête",
  },
  "table.no_spreadsheet": {
    en: "{name} cannot be read as a spreadsheet (.xlsx): open it, save it as .xlsx or CSV, and drop that here",
    de: "{name} lässt sich nicht als Excel-Mappe (.xlsx) lesen: Öffnen Sie die Datei, speichern Sie sie als .xlsx oder CSV, und ziehen Sie diese hierher",
    fr: "{name} ne se lit pas comme un classeur Excel (.xlsx) : ouvrez-le, enregistrez-le en .xlsx ou CSV, et déposez ce fichier ici",
  },
  "table.sheet": {
    en: "Sheet",
    de: "Tabellenblatt",
    fr: "Feuille",
  },
  "table.one_sheet": {
    en: "The file has {sheets} sheets; “{sheet}” is read.",
    de: "Die Mappe hat {sheets} Tabellenblätter; gelesen wurde „{sheet}“.",
    fr: "Le classeur a {sheets} feuilles ; c’est « {sheet} » qui a été lue.",
  },
  "table.left_out_before": {
    en: "Left out before the header: line {lines}.",
    de: "Vor der Kopfzeile weggelassen: Zeile {lines}.",
    fr: "Ignoré avant l’en-tête : ligne {lines}.",
  },
  "table.left_out_behind": {
    en: "Left out after the table: line {lines}.",
    de: "Nach der Tabelle weggelassen: Zeile {lines}.",
    fr: "Ignoré après le tableau : ligne {lines}.",
  },
  "table.renamed": {
    en: "Two columns are called {name}; the second one is {other} here.",
    de: "Zwei Spalten heißen {name}; die zweite heißt hier {other}.",
    fr: "Deux colonnes s’appellent {name} ; la deuxième devient ici {other}.",
  },
  "found.title": {
    en: "What may be wrong in this file",
    de: "Was an dieser Datei auffällt",
    fr: "Ce qui est à vérifier dans ce fichier",
  },
  "found.looking": {
    en: "Looking for what needs a repair …",
    de: "Es wird gesucht, was zu berichtigen ist …",
    fr: "Recherche de ce qui est à corriger …",
  },
  "found.not_looked": {
    en: "What may be wrong in the file could not be found out: {error}",
    de: "Was auffällt, ließ sich nicht feststellen: {error}",
    fr: "Ce qui est à vérifier n’a pas pu être déterminé : {error}",
  },
  "found.about": {
    en: "These values may be read as something else than they mean. Nothing is repaired before you say so, and the file itself stays as it is.",
    de: "Diese Werte könnten anders gelesen werden, als sie gemeint sind. Berichtigt wird nur, was Sie anklicken; die Datei selbst bleibt, wie sie ist.",
    fr: "Ces valeurs risquent d’être mal comprises. Rien n’est corrigé sans votre accord, et le fichier lui-même reste tel quel.",
  },
  "found.nothing": {
    en: "Nothing was found: no needless blanks, no different spellings, no marks of missing values, no lost zeros.",
    de: "Es wurde nichts gefunden: keine überzähligen Leerzeichen, keine verschiedenen Schreibweisen, keine Zeichen für fehlende Werte, keine verlorenen Nullen.",
    fr: "Rien n’a été trouvé : ni espaces en trop, ni orthographes différentes, ni marques de valeurs manquantes, ni zéros perdus.",
  },
  "found.of_parquet": {
    en: "In a Parquet file marks of missing values and lost zeros are not looked for: repair them where the file is made.",
    de: "In einer Parquet-Datei werden Zeichen für fehlende Werte und verlorene Nullen nicht gesucht: Berichtigen Sie sie dort, wo die Datei entsteht.",
    fr: "Dans un fichier Parquet, les marques de valeurs manquantes et les zéros perdus ne sont pas cherchés : corrigez-les là où le fichier est produit.",
  },
  "found.such_as": {
    en: "For example {examples}.",
    de: "Zum Beispiel {examples}.",
    fr: "Par exemple {examples}.",
  },
  "found.quoted": {
    en: "“{value}”",
    de: "„{value}“",
    fr: "« {value} »",
  },
  "found.and": {
    en: " and ",
    de: " und ",
    fr: " et ",
  },
  "found.blanks": {
    en: "{column}: {rows} of {of} values have needless blanks.",
    de: "{column}: {rows} von {of} Werten haben überzählige Leerzeichen.",
    fr: "{column} : {rows} valeurs sur {of} ont des espaces en trop.",
  },
  "found.spellings": {
    en: "{column}: several spellings of one value ({ways} for {different}), in {rows} rows.",
    de: "{column}: mehrere Schreibweisen desselben Werts ({ways} für {different}), in {rows} Zeilen.",
    fr: "{column} : plusieurs orthographes d’une même valeur ({ways} pour {different}), dans {rows} lignes.",
  },
  "found.missing": {
    en: "{column}: {rows} of {of} values mean that something is missing.",
    de: "{column}: {rows} von {of} Werten bedeuten, dass die Angabe fehlt.",
    fr: "{column} : {rows} valeurs sur {of} signifient que l’information manque.",
  },
  "found.asked": {
    en: "{column}: {rows} of {of} values are unlike the others. Do they mean that nothing is known?",
    de: "{column}: {rows} von {of} Werten fallen aus dem Rahmen. Bedeuten sie, dass nichts bekannt ist?",
    fr: "{column} : {rows} valeurs sur {of} sortent du lot. Signifient-elles que l’on ne sait rien ?",
  },
  "found.words": {
    en: "{column}: {rows} of {of} values are words among numbers or dates, so the column is read as text. The page cannot repair this, because so few rows have them: look into the file.",
    de: "{column}: {rows} von {of} Werten sind Wörter zwischen Zahlen oder Datumsangaben; deshalb wird die Spalte als Text gelesen. Die Seite kann das nicht berichtigen, weil es so wenige Zeilen sind: Sehen Sie in der Datei nach.",
    fr: "{column} : {rows} valeurs sur {of} sont des mots parmi des nombres ou des dates ; la colonne est donc lue comme du texte. La page ne peut pas le corriger, car trop peu de lignes sont concernées : regardez dans le fichier.",
  },
  "found.zeros": {
    en: "{column}: {rows} of {of} codes have lost the zero in front.",
    de: "{column}: Bei {rows} von {of} Werten ist die führende Null verloren gegangen.",
    fr: "{column} : {rows} codes sur {of} ont perdu leur zéro de tête.",
  },
  "found.empty": {
    en: "{column} is empty: it is not released.",
    de: "{column} ist leer und wird nicht veröffentlicht.",
    fr: "{column} est vide et n’est pas publiée.",
  },
  "found.leaves_unchanged": {
    en: "This column is published as it is, so the repair changes what is published.",
    de: "Diese Spalte wird unverändert veröffentlicht; die Berichtigung ändert also, was veröffentlicht wird.",
    fr: "Cette colonne est publiée telle quelle : la correction change donc ce qui est publié.",
  },
  "found.person": {
    en: "{column} seems to be the number of a person: {merged} values stand in several rows, and for {agreeing} of them these rows agree in {once}.",
    de: "{column} bezeichnet anscheinend die Person: {merged} Werte stehen in mehreren Zeilen, und in {agreeing} dieser Fälle stimmen die Zeilen in {once} überein.",
    fr: "{column} semble désigner la personne : {merged} valeurs figurent sur plusieurs lignes, et pour {agreeing} d’entre elles ces lignes concordent pour {once}.",
  },
  "found.same": {
    en: "{column} and {other} say the same: one of them is enough.",
    de: "{column} und {other} sagen dasselbe: Eine der beiden genügt.",
    fr: "{column} et {other} disent la même chose : une des deux suffit.",
  },
  "found.follows": {
    en: "{column} follows from {other}: without it less is lost.",
    de: "{column} ergibt sich aus {other}: Ohne diese Spalte geht weniger verloren.",
    fr: "{column} découle de {other} : sans elle, la perte est moindre.",
  },
  "found.repair_trim": {
    en: "Remove the blanks",
    de: "Leerzeichen entfernen",
    fr: "Retirer les espaces",
  },
  "found.repair_fold": {
    en: "Use the most frequent spelling",
    de: "Häufigste Schreibweise verwenden",
    fr: "Garder l’orthographe la plus fréquente",
  },
  "found.repair_missingIn": {
    en: "Take as missing",
    de: "Als fehlend werten",
    fr: "Considérer comme manquant",
  },
  "found.repair_digits": {
    en: "Put the zero back",
    de: "Führende Null ergänzen",
    fr: "Rétablir le zéro",
  },
  "found.count_people": {
    en: "Yes, it names the person",
    de: "Ja, sie bezeichnet die Person",
    fr: "Oui, elle désigne la personne",
  },
  "found.one_row_each": {
    en: "No, it does not",
    de: "Nein, das tut sie nicht",
    fr: "Non, ce n’est pas le cas",
  },
  "found.no_person": {
    en: "You said that it does not name the person.",
    de: "Sie haben gesagt, dass sie nicht die Person bezeichnet.",
    fr: "Vous avez dit qu’elle ne désigne pas la personne.",
  },
  "found.leave_out": {
    en: "Leave out {column}",
    de: "{column} weglassen",
    fr: "Laisser {column} de côté",
  },
  "found.undo": {
    en: "Undo",
    de: "Rückgängig machen",
    fr: "Annuler",
  },
  "found.repair_every": {
    en: "Repair all of these",
    de: "Alles berichtigen",
    fr: "Tout corriger",
  },
  "found.repair_all": {
    en: "Repair all of these, except in columns that are published unchanged",
    de: "Alles berichtigen, außer in Spalten, die unverändert veröffentlicht werden",
    fr: "Tout corriger, sauf dans les colonnes publiées telles quelles",
  },
  "table.other_kind": {
    en: "{name} is neither CSV nor .xlsx nor Parquet",
    de: "{name} ist weder CSV noch .xlsx noch Parquet",
    fr: "{name} n’est ni du CSV, ni du .xlsx, ni du Parquet",
  },
  "table.no_utf8": {
    en: "{name}: this is not UTF-8 text",
    de: "{name}: Das ist kein UTF-8-Text",
    fr: "{name} : ce n’est pas du texte UTF-8",
  },
  "table.wrong_names": {
    en: "{name} has {columns} columns, and {names} names are given for them",
    de: "{name} hat {columns} Spalten, angegeben sind aber {names} Namen",
    fr: "{name} a {columns} colonnes, mais {names} noms sont donnés",
  },
  "table.the_names": {
    en: "the names",
    de: "Namensliste",
    fr: "la liste des noms",
  },
  "table.two_columns": {
    en: "{name}: two columns are called {column}: rename one",
    de: "{name}: Zwei Spalten heißen {column}. Benennen Sie eine um",
    fr: "{name} : deux colonnes s’appellent {column}. Renommez-en une",
  },
  "table.two_alike": {
    en: "{name} has the columns {other} and {column}, which differ by capital letters alone: rename one",
    de: "{name}: Die Spalten {other} und {column} unterscheiden sich nur durch Groß- und Kleinschreibung. Benennen Sie eine um",
    fr: "{name} : les colonnes {other} et {column} ne diffèrent que par les majuscules. Renommez-en une",
  },
  "table.like_data": {
    en: "The first line looks like data, not like names, in {some} of {columns} columns. If there is no header, give a name for each column.",
    de: "Die erste Zeile sieht in {some} von {columns} Spalten nach Daten aus, nicht nach Namen. Wenn es keine Kopfzeile gibt, geben Sie für jede Spalte einen Namen an.",
    fr: "Dans {some} colonnes sur {columns}, la première ligne ressemble à des données, pas à des noms. S’il n’y a pas de ligne d’en-tête, donnez un nom à chaque colonne.",
  },
  "table.line": {
    en: "{name}, line {line}",
    de: "{name}, Zeile {line}",
    fr: "{name}, ligne {line}",
  },
  "table.fields": {
    en: "{at}: {found} fields, the header has {wanted}",
    de: "{at}: {found} Felder, die Kopfzeile hat {wanted}",
    fr: "{at} : {found} champs, alors que l’en-tête en a {wanted}",
  },
  "table.quote": {
    en: "{at}: a quote does not end, or one within a field is not doubled",
    de: "{at}: Ein Anführungszeichen bleibt offen, oder eines in einem Feld ist nicht verdoppelt",
    fr: "{at} : un guillemet n’est pas fermé, ou un guillemet dans un champ n’est pas doublé",
  },
  "table.no_csv": {
    en: "{at}: this is not CSV as in RFC 4180",
    de: "{at}: Das ist kein CSV wie in RFC 4180",
    fr: "{at} : ce n’est pas du CSV selon la RFC 4180",
  },
  "table.unreadable": {
    en: "{name} cannot be read: {error}",
    de: "{name} kann nicht gelesen werden: {error}",
    fr: "{name} ne peut pas être lu : {error}",
  },
  "table.no_parquet": {
    en: "{name} is not Parquet that can be read: {error}",
    de: "{name} ist kein Parquet, das gelesen werden kann: {error}",
    fr: "{name} n’est pas un fichier Parquet lisible : {error}",
  },
  "table.no_parquet_here": {
    en: "{name}: Parquet cannot be read here",
    de: "{name}: Parquet kann hier nicht gelesen werden",
    fr: "{name} : Parquet ne peut pas être lu ici",
  },
  "table.no_memory": {
    en: "this takes more memory than the browser has. Fewer columns, or columns recoded to ranges and sets, need less; the command line has more ({error})",
    de: "das braucht mehr Speicher, als der Browser hat. Weniger Spalten oder Bereiche und Mengen statt Hierarchien brauchen weniger; die Kommandozeile hat mehr ({error})",
    fr: "il faut pour cela plus de mémoire que le navigateur n’en a. Moins de colonnes, ou des intervalles et ensembles plutôt que des hiérarchies, en demandent moins ; la ligne de commande en a davantage ({error})",
  },
  "project.open": {
    en: "Open a project of last month",
    de: "Projekt vom letzten Monat öffnen",
    fr: "Ouvrir un projet du mois dernier",
  },
  "project.none": {
    en: "{name} is no project of this page",
    de: "{name} ist kein Projekt dieser Seite",
    fr: "{name} n’est pas un projet de cette page",
  },
  "project.opened": {
    en: "The project is open. It has earlier releases: {releases}.",
    de: "Das Projekt ist geöffnet. Es enthält frühere Veröffentlichungen: {releases}.",
    fr: "Le projet est ouvert. Il contient des publications antérieures : {releases}.",
  },
  "project.now_the_table": {
    en: "Now drop the table of this month.",
    de: "Ziehen Sie nun die Tabelle dieses Monats hierher.",
    fr: "Déposez maintenant le tableau de ce mois.",
  },
  "project.added": {
    en: "New columns, whose roles are guessed: {columns}.",
    de: "Neue Spalten, deren Rollen nur vermutet sind: {columns}.",
    fr: "Nouvelles colonnes, dont les rôles sont supposés : {columns}.",
  },
  "project.gone": {
    en: "Columns that are gone: {columns}.",
    de: "Weggefallene Spalten: {columns}.",
    fr: "Colonnes disparues : {columns}.",
  },
  "project.called": {
    en: "What is {column} called in this file?",
    de: "Wie heißt {column} in dieser Datei?",
    fr: "Comment s’appelle {column} dans ce fichier ?",
  },
  "table.called": {
    en: "{name} is read as {other}, as you say.",
    de: "{name} wird als {other} gelesen, wie Sie angegeben haben.",
    fr: "{name} est lue comme {other}, selon votre indication.",
  },
  "project.decisions": {
    en: "Decisions so far",
    de: "Bisherige Entscheidungen",
    fr: "Décisions jusqu’ici",
  },
  "project.decision": {
    en: "{when}, {source}: {answer} ({met})",
    de: "{when}, {source}: {answer} ({met})",
    fr: "{when}, {source} : {answer} ({met})",
  },
  "project.yes": {
    en: "yes",
    de: "ja",
    fr: "oui",
  },
  "project.no": {
    en: "no",
    de: "nein",
    fr: "non",
  },
  "project.not_yet": {
    en: "not yet",
    de: "noch nicht",
    fr: "pas encore",
  },

  // 2. Columns
  "columns.title": {
    en: "What the columns are",
    de: "Was die Spalten sind",
    fr: "Ce que sont les colonnes",
  },
  "columns.about": {
    en: "These are guesses from names and values. Check each column. An [identifier](identifier) says who somebody is. A [quasi-identifier](qi) may be known to others, and is made coarser. What stands in a [sensitive](sensitive) column they should not learn.",
    de: "Das sind Vermutungen anhand der Namen und Werte. Prüfen Sie jede Spalte. Ein [Identifikator](identifier) sagt, wer jemand ist. Einen [Quasi-Identifikator](qi) können andere kennen; er wird vergröbert. Was in einer [sensiblen](sensitive) Spalte steht, sollen sie nicht erfahren.",
    fr: "Ce sont des suppositions, d’après les noms et les valeurs. Vérifiez chaque colonne. Un [identifiant](identifier) dit qui est quelqu’un. Un [quasi-identifiant](qi) peut être connu d’autres personnes ; il devient moins précis. Le contenu d’une colonne [sensible](sensitive) ne doit pas leur être révélé.",
  },
  "columns.column": {
    en: "Column",
    de: "Spalte",
    fr: "Colonne",
  },
  "columns.role": {
    en: "Role",
    de: "Rolle",
    fr: "Rôle",
  },
  "columns.recoded": {
    en: "Recoded to",
    de: "Vergröbert zu",
    fr: "Rendue moins précise par",
  },
  "columns.read_as": {
    en: "Read as",
    de: "Gelesen als",
    fr: "Lue comme",
  },
  "columns.confirm": {
    en: "These roles are right",
    de: "Diese Rollen stimmen",
    fr: "Ces rôles sont corrects",
  },
  "columns.seen": {
    en: "{type}, {distinct} different values",
    de: "{type}, {distinct} verschiedene Werte",
    fr: "{type}, {distinct} valeurs différentes",
  },
  "columns.nulls": {
    en: ", {nulls} empty cells",
    de: ", {nulls} leere Zellen",
    fr: ", {nulls} cellules vides",
  },
  "type.text": {
    en: "text",
    de: "Text",
    fr: "texte",
  },
  "type.boolean": {
    en: "yes or no",
    de: "ja oder nein",
    fr: "oui ou non",
  },
  "type.integer": {
    en: "whole numbers",
    de: "ganze Zahlen",
    fr: "nombres entiers",
  },
  "type.double": {
    en: "numbers",
    de: "Zahlen",
    fr: "nombres",
  },
  "type.date": {
    en: "days",
    de: "Tage",
    fr: "jours",
  },
  "type.time": {
    en: "times of day",
    de: "Uhrzeiten",
    fr: "heures",
  },
  "type.timestamp": {
    en: "days with times",
    de: "Tage mit Uhrzeit",
    fr: "jours avec heures",
  },
  "type.day_letters": {
    en: "D",
    de: "T",
    fr: "J",
  },
  "type.month_letters": {
    en: "M",
    de: "M",
    fr: "M",
  },
  "type.year_letters": {
    en: "Y",
    de: "J",
    fr: "A",
  },
  "columns.as_found": {
    en: "as in the file",
    de: "wie in der Datei",
    fr: "comme dans le fichier",
  },
  "columns.role_of": {
    en: "Role of {column}",
    de: "Rolle von {column}",
    fr: "Rôle de {column}",
  },
  "columns.recoded_to": {
    en: "{column} is recoded to",
    de: "{column} wird vergröbert zu",
    fr: "{column} est rendue moins précise par",
  },
  "columns.is_read_as": {
    en: "{column} is read as",
    de: "{column} wird gelesen als",
    fr: "{column} est lue comme",
  },
  "columns.steps_of": {
    en: "Widths of the intervals of {column}",
    de: "Breiten der Intervalle von {column}",
    fr: "Largeurs des intervalles de {column}",
  },
  "columns.breaks_of": {
    en: "Bounds of the intervals of {column}",
    de: "Grenzen der Intervalle von {column}",
    fr: "Bornes des intervalles de {column}",
  },
  "columns.file_of": {
    en: "Hierarchy of {column}",
    de: "Hierarchie von {column}",
    fr: "Hiérarchie de {column}",
  },
  "columns.level_of": {
    en: "Level of {column}",
    de: "Stufe von {column}",
    fr: "Niveau de {column}",
  },
  "columns.level": {
    en: "level",
    de: "Stufe",
    fr: "niveau",
  },
  "columns.choose_file": {
    en: "Choose a file",
    de: "Datei auswählen",
    fr: "Choisir un fichier",
  },
  "columns.no_file": {
    en: "{column}: choose the file of its hierarchy, one line per value, as in ARX: 80331;80;*",
    de: "{column}: Wählen Sie die Datei der Hierarchie, eine Zeile je Wert, wie bei ARX: 80331;80;*",
    fr: "{column} : choisissez le fichier de sa hiérarchie, une ligne par valeur, comme dans ARX : 75011;75;*",
  },
  "columns.no_sheet": {
    en: "{name} is a spreadsheet: save the hierarchy as CSV, and choose that file",
    de: "{name} ist eine Excel-Mappe: Speichern Sie die Hierarchie als CSV, und wählen Sie diese Datei",
    fr: "{name} est un classeur Excel : enregistrez la hiérarchie en CSV, et choisissez ce fichier",
  },
  "columns.no_numbers": {
    en: "{column}: say the numbers, separated by commas, such as {example}",
    de: "{column}: Nennen Sie die Zahlen, durch Kommas getrennt, etwa {example}",
    fr: "{column} : donnez les nombres, séparés par des virgules, par exemple {example}",
  },
  "columns.may_be_unit": {
    en: "{column} has {distinct} different values in {rows} rows. If it names the person of a row, people must be counted, not rows: give it the role “person of the row”.",
    de: "{column} hat {distinct} verschiedene Werte in {rows} Zeilen. Wenn sie die Person bezeichnet, müssen Personen gezählt werden, nicht Zeilen: Geben Sie ihr die Rolle „Person der Zeile“.",
    fr: "{column} a {distinct} valeurs différentes pour {rows} lignes. Si elle désigne la personne, il faut compter des personnes et non des lignes : donnez-lui le rôle « personne de la ligne ».",
  },
  "columns.several_formats": {
    en: "{column} is text, and recoded to sets of single values. Choose how it is read: {formats}.",
    de: "{column} ist Text und wird zu Mengen einzelner Werte. Wählen Sie, wie sie gelesen wird: {formats}.",
    fr: "{column} est du texte, et deviendrait des ensembles de valeurs isolées. Choisissez comment la lire : {formats}.",
  },
  "columns.one_format": {
    en: "{column} is read as “{format}”: {shown}.",
    de: "{column} wird als „{format}“ gelesen: {shown}.",
    fr: "{column} est lue comme « {format} » : {shown}.",
  },
  "columns.or": {
    en: " or ",
    de: " oder ",
    fr: " ou ",
  },
  "columns.not_exact": {
    en: "{column} is text, as its values would not leave as they are written if they were read as {type}: choose “{type}” to read them so ({shown}).",
    de: "{column} ist Text: Als {type} gelesen würden ihre Werte anders veröffentlicht, als sie dastehen. Wählen Sie „{type}“, um sie so zu lesen ({shown}).",
    fr: "{column} est du texte : lues comme {type}, ses valeurs ne sortiraient pas telles qu’elles sont écrites. Choisissez « {type} » pour la lire ainsi ({shown}).",
  },
  "columns.wrong_type": {
    en: "column {column}, row {row}: the value cannot be read as “{type}”",
    de: "Spalte {column}, Zeile {row}: Der Wert lässt sich nicht als „{type}“ lesen",
    fr: "colonne {column}, ligne {row} : la valeur ne se lit pas comme « {type} »",
  },
  "columns.wrong_others": {
    en: ", nor can {others} others",
    de: ", ebenso wenig {others} weitere",
    fr: ", ni {others} autres",
  },
  "columns.two_units": {
    en: "only one column can name the person of a row, not {columns}",
    de: "Nur eine Spalte kann die Person bezeichnen, nicht {columns}",
    fr: "une seule colonne peut désigner la personne, pas {columns}",
  },
  "role.identifier": {
    en: "identifier: not published",
    de: "Identifikator: wird nicht veröffentlicht",
    fr: "identifiant : non publié",
  },
  "role.qi": {
    en: "quasi-identifier: made coarser",
    de: "Quasi-Identifikator: wird vergröbert",
    fr: "quasi-identifiant : moins précis",
  },
  "role.sensitive": {
    en: "sensitive: published unchanged",
    de: "sensibel: unverändert veröffentlicht",
    fr: "sensible : publiée telle quelle",
  },
  "role.keep": {
    en: "kept: published unchanged",
    de: "behalten: unverändert veröffentlicht",
    fr: "conservée : publiée telle quelle",
  },
  "role.unit": {
    en: "person of the row: not published",
    de: "Person der Zeile: wird nicht veröffentlicht",
    fr: "personne de la ligne : non publiée",
  },
  "role.none": {
    en: "left out: not published",
    de: "weggelassen: wird nicht veröffentlicht",
    fr: "laissée de côté : non publiée",
  },
  "builder.ranges": {
    en: "ranges and sets",
    de: "Bereiche und Mengen",
    fr: "intervalles et ensembles",
  },
  "builder.none": {
    en: "its own value or *",
    de: "eigener Wert oder *",
    fr: "la valeur elle-même ou *",
  },
  "builder.interval": {
    en: "intervals: widths",
    de: "Intervalle: Breiten",
    fr: "intervalles : largeurs",
  },
  "builder.breaks": {
    en: "intervals: bounds",
    de: "Intervalle: Grenzen",
    fr: "intervalles : bornes",
  },
  "builder.mask": {
    en: "masked digits",
    de: "verdeckte Ziffern",
    fr: "chiffres masqués",
  },
  "builder.date": {
    en: "months to decades",
    de: "Monate bis Jahrzehnte",
    fr: "mois à décennies",
  },
  "builder.icd10": {
    en: "categories and chapters (ICD-10)",
    de: "Kategorien und Kapitel (ICD-10)",
    fr: "catégories et chapitres (CIM-10)",
  },
  "builder.flat": {
    en: "the value, then *",
    de: "der Wert, dann *",
    fr: "la valeur, puis *",
  },
  "builder.file": {
    en: "a file of mine",
    de: "eigene Datei",
    fr: "mon propre fichier",
  },

  // 3. Requirements and method
  "required.title": {
    en: "What is required",
    de: "Anforderungen",
    fr: "Ce qui est exigé",
  },
  "required.no_values": {
    en: "No column is sensitive: only k can be required.",
    de: "Keine Spalte ist sensibel: Nur k kann gefordert werden.",
    fr: "Aucune colonne n’est sensible : seul k peut être exigé.",
  },
  "required.no_number": {
    en: "{name}: {id} must be a number",
    de: "{name}: {id} muss eine Zahl sein",
    fr: "{name} : {id} doit être un nombre",
  },
  "required.k": {
    en: "Every class has {value} rows or more that look alike.",
    de: "Jede Gruppe hat mindestens {value} Zeilen mit denselben Angaben.",
    fr: "Chaque groupe a au moins {value} lignes indiscernables.",
  },
  "required.k_people": {
    en: "Every class has {value} people or more who look alike.",
    de: "Jede Gruppe hat mindestens {value} Personen mit denselben Angaben.",
    fr: "Chaque groupe a au moins {value} personnes indiscernables.",
  },
  "required.l": {
    en: "Every class has {value} different sensitive values or more.",
    de: "Jede Gruppe hat mindestens {value} verschiedene sensible Werte.",
    fr: "Chaque groupe a au moins {value} valeurs sensibles différentes.",
  },
  "required.entropy_l": {
    en: "The sensitive values of every class are as evenly mixed as {value} equally frequent ones.",
    de: "Die sensiblen Werte jeder Gruppe sind so gleichmäßig gemischt wie {value} gleich häufige.",
    fr: "Les valeurs sensibles de chaque groupe sont aussi bien mélangées que {value} valeurs également fréquentes.",
  },
  "required.alpha": {
    en: "No sensitive value has a larger share of a class than {value}.",
    de: "Kein sensibler Wert hat einen größeren Anteil an einer Gruppe als {value}.",
    fr: "Aucune valeur sensible n’a dans un groupe une part supérieure à {value}.",
  },
  "required.t": {
    en: "The sensitive values of a class differ from those of all rows by at most {value}.",
    de: "Die sensiblen Werte einer Gruppe weichen von denen aller Zeilen um höchstens {value} ab.",
    fr: "Les valeurs sensibles d’un groupe s’écartent de celles de l’ensemble de {value} au plus.",
  },
  "importance.title": {
    en: "How much each column matters",
    de: "Wie wichtig jede Spalte ist",
    fr: "L’importance de chaque colonne",
  },
  "importance.about": {
    en: "A column that matters more stays more exact, and the others become coarser. The loss is measured on the finished data: at 0 % everything is as exact as in your table, at 100 % nothing is left.",
    de: "Eine wichtigere Spalte bleibt genauer, dafür werden die anderen gröber. Der Verlust wird an den fertigen Daten gemessen: Bei 0 % ist alles so genau wie in Ihrer Tabelle, bei 100 % ist nichts mehr übrig.",
    fr: "Une colonne plus importante reste plus précise, et les autres le deviennent moins. La perte est mesurée sur les données finies : à 0 %, tout est aussi précis que dans votre tableau ; à 100 %, il ne reste rien.",
  },
  "importance.not_weighed": {
    en: "This method cannot spare single columns: Mondrian and the best levels can. The loss is measured on the finished release.",
    de: "Dieses Verfahren kann keine einzelnen Spalten schonen; Mondrian und „Beste Stufen“ können es. Der Verlust wird an den fertigen Daten gemessen.",
    fr: "Cette méthode ne peut pas ménager une colonne ; Mondrian et les meilleurs niveaux le peuvent. La perte est mesurée sur les données finies.",
  },
  "importance.how": {
    en: "How important?",
    de: "Wie wichtig?",
    fr: "Quelle importance ?",
  },
  "importance.loss": {
    en: "Loss",
    de: "Verlust",
    fr: "Perte",
  },
  "importance.of": {
    en: "How important {column} is",
    de: "Wie wichtig {column} ist",
    fr: "L’importance de {column}",
  },
  "importance.before": {
    en: "before: {loss}",
    de: "zuvor: {loss}",
    fr: "avant : {loss}",
  },
  "importance.at_0": {
    en: "hardly",
    de: "kaum",
    fr: "à peine",
  },
  "importance.at_1": {
    en: "less than the others",
    de: "weniger als die anderen",
    fr: "moins que les autres",
  },
  "importance.at_2": {
    en: "as the others",
    de: "wie die anderen",
    fr: "comme les autres",
  },
  "importance.at_3": {
    en: "more than the others",
    de: "mehr als die anderen",
    fr: "plus que les autres",
  },
  "importance.at_4": {
    en: "most of all",
    de: "am meisten",
    fr: "plus que tout",
  },
  "method.title": {
    en: "How it is anonymized",
    de: "Wie anonymisiert wird",
    fr: "Comment anonymiser",
  },
  "method.label": {
    en: "Method",
    de: "Verfahren",
    fr: "Méthode",
  },
  "method.mondrian": {
    en: "Mondrian",
    de: "Mondrian",
    fr: "Mondrian",
  },
  "method.optimal": {
    en: "Best levels (optimal)",
    de: "Beste Stufen (optimal)",
    fr: "Meilleurs niveaux (optimal)",
  },
  "method.samarati": {
    en: "Lowest levels (Samarati)",
    de: "Niedrigste Stufen (Samarati)",
    fr: "Niveaux les plus bas (Samarati)",
  },
  "method.datafly": {
    en: "Datafly",
    de: "Datafly",
    fr: "Datafly",
  },
  "method.generalize": {
    en: "Levels of my choice",
    de: "Stufen meiner Wahl",
    fr: "Niveaux de mon choix",
  },
  "method.k_similar": {
    en: "k-Similar",
    de: "k-Similar",
    fr: "k-Similar",
  },
  "method.microaggregate": {
    en: "Microaggregation",
    de: "Mikroaggregation",
    fr: "Microagrégation",
  },
  "method.mu_argus": {
    en: "Single cells hidden (mu-Argus)",
    de: "Einzelne Zellen verdeckt (mu-Argus)",
    fr: "Cellules isolées masquées (mu-Argus)",
  },
  "method.anatomize": {
    en: "Values in buckets (Anatomy)",
    de: "Werte in Gruppen (Anatomy)",
    fr: "Valeurs par groupes (Anatomy)",
  },
  "method.mondrian.about": {
    en: "Cuts the table in half again and again, as long as both halves meet what is required. It loses little, and leaves no row out.",
    de: "Teilt die Tabelle immer wieder in zwei Hälften, solange beide die Anforderungen erfüllen. Verliert wenig und lässt keine Zeile weg.",
    fr: "Coupe le tableau en deux, encore et encore, tant que les deux moitiés satisfont aux exigences. Perd peu et n’écarte aucune ligne.",
  },
  "method.optimal.about": {
    en: "All values of a column are coarsened to one [level](level); the levels that lose least are taken. Rows of classes that do not meet the requirements are left out.",
    de: "Alle Werte einer Spalte werden auf dieselbe [Stufe](level) vergröbert; gewählt werden die Stufen, bei denen am wenigsten verloren geht. Zeilen von Gruppen, die die Anforderungen nicht erfüllen, werden weggelassen.",
    fr: "Toutes les valeurs d’une colonne sont ramenées à un même [niveau](level) ; ce sont les niveaux qui perdent le moins qui sont choisis. Les lignes des groupes qui ne satisfont pas aux exigences sont écartées.",
  },
  "method.samarati.about": {
    en: "The same with the lowest sum of [levels](level).",
    de: "Dasselbe mit der kleinsten Summe von [Stufen](level).",
    fr: "De même, avec la plus petite somme de [niveaux](level).",
  },
  "method.datafly.about": {
    en: "The column with the most values goes up a [level](level), again and again, until few enough rows have to be left out.",
    de: "Die Spalte mit den meisten Werten wird um eine [Stufe](level) vergröbert, immer wieder, bis nur noch wenige Zeilen weggelassen werden müssen.",
    fr: "La colonne qui a le plus de valeurs monte d’un [niveau](level), encore et encore, jusqu’à ce qu’assez peu de lignes soient à écarter.",
  },
  "method.generalize.about": {
    en: "Each column gets the [level](level) that you choose above, beside its hierarchy.",
    de: "Jede Spalte erhält die [Stufe](level), die Sie oben neben ihrer Hierarchie wählen.",
    fr: "Chaque colonne reçoit le [niveau](level) que vous choisissez plus haut, à côté de sa hiérarchie.",
  },
  "method.k_similar.about": {
    en: "Groups of similar rows, each with the narrowest range that covers it. Groups may overlap.",
    de: "Gruppen ähnlicher Zeilen, jede mit dem engsten Bereich, der sie umfasst. Gruppen können sich überschneiden.",
    fr: "Des groupes de lignes semblables, chacun avec l’intervalle le plus étroit qui le couvre. Les groupes peuvent se chevaucher.",
  },
  "method.microaggregate.about": {
    en: "Groups of similar rows, all with the mean of the group.",
    de: "Gruppen ähnlicher Zeilen, alle mit dem Mittel der Gruppe.",
    fr: "Des groupes de lignes semblables, qui reçoivent toutes la moyenne du groupe.",
  },
  "method.mu_argus.about": {
    en: "Values stay, but rare ones are hidden (*). Every combination is in k rows if a hidden cell may have any value. Only k can be required.",
    de: "Werte bleiben erhalten, seltene werden verdeckt (*). Jede Kombination kommt in k Zeilen vor, wenn eine verdeckte Zelle jeden Wert haben kann. Nur k kann gefordert werden.",
    fr: "Les valeurs restent, les rares sont masquées (*). Chaque combinaison figure dans k lignes, si une cellule masquée peut avoir n’importe quelle valeur. Seul k peut être exigé.",
  },
  "method.anatomize.about": {
    en: "Quasi-identifiers stay unchanged; sensitive values are published only for groups of l rows or more, in which all are different. This does not hide that somebody is in the table. Only l can be required, for one sensitive column.",
    de: "Quasi-Identifikatoren bleiben unverändert; die sensiblen Werte werden nur für Gruppen von mindestens l Zeilen veröffentlicht, in denen alle verschieden sind. Das verbirgt nicht, dass jemand in der Tabelle ist. Gefordert werden kann nur l, für eine sensible Spalte.",
    fr: "Les quasi-identifiants restent tels quels ; les valeurs sensibles ne sont publiées que par groupes d’au moins l lignes, où toutes sont différentes. Cela ne cache pas que quelqu’un est dans le tableau. Seul l peut être exigé, pour une seule colonne sensible.",
  },
  "method.suppression": {
    en: "Rows that may be left out, in %",
    de: "Zeilen, die weggelassen werden dürfen, in %",
    fr: "Lignes qui peuvent être écartées, en %",
  },
  "method.suppression.about": {
    en: "Otherwise a few unusual people decide how coarse all data become.",
    de: "Sonst bestimmen wenige ungewöhnliche Personen, wie grob alle Daten werden.",
    fr: "Sinon, quelques personnes atypiques décident de la précision de toutes les données.",
  },
  "method.no_unit": {
    en: "{method} is not checked here for people with several rows: take another method, or the command line with the policy",
    de: "{method} wird hier für Personen mit mehreren Zeilen nicht geprüft: Nehmen Sie ein anderes Verfahren oder die Kommandozeile mit der Richtlinie",
    fr: "{method} n’est pas vérifiée ici pour des personnes qui ont plusieurs lignes : prenez une autre méthode, ou la ligne de commande avec la politique",
  },

  // 4. The release
  "release.title": {
    en: "The release",
    de: "Die anonymisierten Daten",
    fr: "Les données anonymisées",
  },
  "release.at_work": {
    en: "At work …",
    de: "Es wird gerechnet …",
    fr: "En cours …",
  },
  "release.checking": {
    en: "Checking …",
    de: "Wird geprüft …",
    fr: "Vérification …",
  },
  "release.checking_together": {
    en: "Checking together with {earlier} …",
    de: "Wird zusammen mit {earlier} geprüft …",
    fr: "Vérification avec {earlier} …",
  },
  "release.measuring": {
    en: "Measuring what it tells and loses …",
    de: "Es wird gemessen, was die Daten verraten und was verloren geht …",
    fr: "Mesure de ce qu’elles révèlent et perdent …",
  },
  "release.seconds": {
    en: "{seconds} s",
    de: "{seconds} s",
    fr: "{seconds} s",
  },
  "release.progress": {
    en: "at work",
    de: "in Arbeit",
    fr: "en cours",
  },
  "release.no_qi": {
    en: "no column is a quasi-identifier: choose those by which somebody could be recognized",
    de: "Keine Spalte ist Quasi-Identifikator: Wählen Sie die Spalten, an denen jemand zu erkennen wäre",
    fr: "aucune colonne n’est un quasi-identifiant : choisissez les colonnes auxquelles quelqu’un pourrait être reconnu",
  },
  "release.nothing_required": {
    en: "nothing is required: choose k, or another requirement",
    de: "Es gibt keine Anforderung: Wählen Sie k oder eine andere",
    fr: "rien n’est exigé : choisissez k, ou une autre exigence",
  },
  "release.holds": {
    en: "The requirements are met",
    de: "Die Anforderungen sind erfüllt",
    fr: "Les exigences sont satisfaites",
  },
  "release.holds_for_rows": {
    en: "Met, but for rows: are these people?",
    de: "Erfüllt, aber nur für Zeilen: Sind das Personen?",
    fr: "Satisfaites, mais pour des lignes : s’agit-il de personnes ?",
  },
  "release.holds_partly": {
    en: "Met, but not everything was looked at",
    de: "Erfüllt, aber nicht alles wurde geprüft",
    fr: "Satisfaites, mais tout n’a pas été examiné",
  },
  "release.holds_unsure": {
    en: "Met, but some values become nearly certain",
    de: "Erfüllt, aber einige Werte werden fast sicher bekannt",
    fr: "Satisfaites, mais certaines valeurs deviennent presque certaines",
  },
  "release.sure": {
    en: "{column}: for {share} of the {unit} the value is at least 90 % certain (for public data, 1 % at most is usual). A smaller alpha lowers this.",
    de: "{column}: Bei {share} der {unit} ist der Wert zu mindestens 90 % sicher (für öffentliche Daten ist höchstens 1 % üblich). Ein kleineres alpha senkt das.",
    fr: "{column} : pour {share} des {unit}, la valeur est sûre à 90 % au moins (pour des données publiques, 1 % au plus est d’usage). Un alpha plus petit l’abaisse.",
  },
  "release.tells": {
    en: "The data tell values with certainty",
    de: "Die Daten verraten Werte mit Sicherheit",
    fr: "Les données révèlent des valeurs avec certitude",
  },
  "release.tells_of": {
    en: "{column}: for {share} of the {unit} only one value is possible.",
    de: "{column}: Bei {share} der {unit} ist nur ein Wert möglich.",
    fr: "{column} : pour {share} des {unit}, une seule valeur est possible.",
  },
  "release.tells_help": {
    en: "The requirements are met all the same. Try a larger l or k.",
    de: "Die Anforderungen sind dennoch erfüllt. Probieren Sie ein größeres l oder k.",
    fr: "Les exigences sont pourtant satisfaites. Essayez un l ou un k plus grand.",
  },
  "release.none": {
    en: "No release",
    de: "So ist keine Veröffentlichung möglich",
    fr: "Rien à publier",
  },
  "release.names_people": {
    en: "The data name people",
    de: "Die Daten nennen Personen",
    fr: "Les données nomment des personnes",
  },
  "release.may_name_people": {
    en: "The data may name people",
    de: "Die Daten nennen vielleicht Personen",
    fr: "Les données nomment peut-être des personnes",
  },
  "release.too_much": {
    en: "Together they tell too much",
    de: "Beide Veröffentlichungen zusammen verraten zu viel",
    fr: "Les deux publications ensemble en révèlent trop",
  },
  "release.unknown_together": {
    en: "It is not known what both tell together",
    de: "Es ist nicht bekannt, was beide zusammen verraten",
    fr: "On ne sait pas ce que les deux publications révèlent ensemble",
  },
  "release.past": {
    en: "The earlier release tells something already",
    de: "Schon die frühere Veröffentlichung verrät etwas",
    fr: "La publication antérieure révèle déjà quelque chose",
  },
  "release.accepted": {
    en: "Met, but for what {by} has accepted",
    de: "Erfüllt bis auf das, was {by} akzeptiert hat",
    fr: "Satisfaites, sauf ce que {by} a accepté",
  },
  "release.met": {
    en: "Each of {classes} classes meets {met}: this was checked on the finished release, which has all {rows} rows.",
    de: "Jede der {classes} Gruppen erfüllt {met}. Das wurde an den fertigen Daten nachgeprüft; sie haben alle {rows} Zeilen.",
    fr: "Chacun des {classes} groupes satisfait à {met} : c’est vérifié sur les données finies, qui ont toutes les {rows} lignes.",
  },
  "release.met_without": {
    en: "Each of {classes} classes meets {met}: this was checked on the finished release, which has {rows} of {had} rows: {suppressed} are left out.",
    de: "Jede der {classes} Gruppen erfüllt {met}. Das wurde an den fertigen Daten nachgeprüft; sie haben {rows} von {had} Zeilen, {suppressed} sind weggelassen.",
    fr: "Chacun des {classes} groupes satisfait à {met} : c’est vérifié sur les données finies, qui ont {rows} lignes sur {had} ; {suppressed} sont écartées.",
  },
  "release.fault": {
    en: "the check of the finished release has found {violations} violations, and {rows} of {had} rows: it is not released. This is a fault of sqlanon",
    de: "Die Prüfung der fertigen Daten hat {violations} Verletzungen gefunden und {rows} von {had} Zeilen: Sie werden nicht herausgegeben. Das ist ein Fehler von sqlanon",
    fr: "la vérification des données finies a trouvé {violations} violations, et {rows} lignes sur {had} : elles ne sont pas remises. C’est une erreur de sqlanon",
  },
  "release.leaves": {
    en: "{column} is published ({how}): {reason}.",
    de: "{column} wird veröffentlicht ({how}): {reason}.",
    fr: "{column} est publiée ({how}) : {reason}.",
  },
  "release.another_role": {
    en: "Give such a column another role. Or take the policy with you, and say there why it may leave: [direct] {column} = \"why\".",
    de: "Geben Sie einer solchen Spalte eine andere Rolle. Oder nehmen Sie die Richtlinie mit, und sagen Sie dort, warum sie veröffentlicht werden darf: [direct] {column} = \"warum\".",
    fr: "Donnez à une telle colonne un autre rôle. Ou emportez la politique, et dites-y pourquoi elle peut sortir : [direct] {column} = \"pourquoi\".",
  },
  "release.before_after": {
    en: "Before and after",
    de: "Vorher und nachher",
    fr: "Avant et après",
  },
  "release.before_after_about": {
    en: "The first rows of each. Those of the release are in another order.",
    de: "Jeweils die ersten Zeilen. Die der anonymisierten Daten stehen in anderer Reihenfolge.",
    fr: "Les premières lignes de part et d’autre. Celles des données anonymisées sont dans un autre ordre.",
  },
  "release.first_rows_label": {
    en: "The first rows of the release",
    de: "Die ersten Zeilen der anonymisierten Daten",
    fr: "Les premières lignes des données anonymisées",
  },
  "value.none": {
    en: "no value",
    de: "keine Angabe",
    fr: "sans indication",
  },
  "release.alike": {
    en: "{column}: every row has the same value, so it tells nothing and can be left out. A smaller k may keep more of it.",
    de: "{column}: In allen Zeilen steht dasselbe; das sagt nichts aus und kann wegbleiben. Mit kleinerem k bleibt vielleicht mehr übrig.",
    fr: "{column} : toutes les lignes ont la même valeur ; elle n’apprend rien et peut être laissée de côté. Avec un k plus petit, il en restera peut-être davantage.",
  },
  "release.alike_weighed": {
    en: "Or move its slider “How important?” to the right.",
    de: "Oder schieben Sie den Regler „Wie wichtig?“ nach rechts.",
    fr: "Ou poussez son curseur « Quelle importance ? » vers la droite.",
  },
  "release.decades": {
    en: "{column}: 1960s, for example, stands for the years 1960 to 1969.",
    de: "{column}: 1960s steht zum Beispiel für die Jahre 1960 bis 1969.",
    fr: "{column} : 1960s, par exemple, désigne les années 1960 à 1969.",
  },
  "release.leaving": {
    en: "What is published",
    de: "Was veröffentlicht wird",
    fr: "Ce qui est publié",
  },
  "release.leaving_about": {
    en: "Every column of the finished data. Whether a column names people is guessed from its values and its name.",
    de: "Alle Spalten der anonymisierten Daten. Ob eine Spalte Personen nennt, ist anhand ihrer Werte und ihres Namens vermutet.",
    fr: "Toutes les colonnes publiées. Qu’une colonne nomme des personnes est supposé d’après ses valeurs et son nom.",
  },
  "release.leaves_how": {
    en: "How",
    de: "Wie",
    fr: "Comment",
  },
  "release.looks_like": {
    en: "Looks like",
    de: "Sieht aus wie",
    fr: "Ressemble à",
  },
  "release.values": {
    en: "Values",
    de: "Werte",
    fr: "Valeurs",
  },
  "release.own_values": {
    en: "Rows whose value no other has",
    de: "Zeilen, deren Wert sonst keine hat",
    fr: "Lignes dont aucune autre n’a la valeur",
  },
  "release.own_values_people": {
    en: "Values that one person has",
    de: "Werte, die nur eine Person hat",
    fr: "Valeurs d’une seule personne",
  },
  "release.names": {
    en: "names people",
    de: "nennt Personen",
    fr: "nomme des personnes",
  },
  "release.not_known": {
    en: "not known",
    de: "nicht bekannt",
    fr: "inconnu",
  },
  "how.recoded": {
    en: "recoded",
    de: "vergröbert",
    fr: "moins précise",
  },
  "how.unchanged": {
    en: "unchanged",
    de: "unverändert",
    fr: "inchangée",
  },
  "release.not_found": {
    en: "This could not be found out: {error}",
    de: "Das ließ sich nicht feststellen: {error}",
    fr: "Cela n’a pas pu être déterminé : {error}",
  },
  "classes.caption": {
    en: "[Classes](class) by their size. People in a class look alike.",
    de: "[Gruppen](class) nach ihrer Größe. In einer Gruppe haben alle dieselben Angaben.",
    fr: "[Groupes](class) selon leur taille. Dans un groupe, rien ne distingue les personnes.",
  },
  "classes.smallest": {
    en: "The smallest classes",
    de: "Die kleinsten Gruppen",
    fr: "Les plus petits groupes",
  },
  "classes.classes": {
    en: "classes",
    de: "Gruppen",
    fr: "groupes",
  },
  "classes.in_smallest": {
    en: "{unit} in the smallest",
    de: "{unit} in der kleinsten",
    fr: "{unit} dans le plus petit",
  },
  "classes.average": {
    en: "{unit} in a class, on average",
    de: "{unit} in einer Gruppe, im Durchschnitt",
    fr: "{unit} dans un groupe, en moyenne",
  },
  "classes.alone": {
    en: "of the {unit} of your table have values that nobody else has",
    de: "der {unit} Ihrer Tabelle haben Werte, die sonst niemand hat",
    fr: "des {unit} de votre tableau ont des valeurs que nul autre n’a",
  },
  "classes.bar": {
    en: "{classes} classes of {range}",
    de: "{classes} Gruppen von {range}",
    fr: "{classes} groupes de {range}",
  },
  "classes.by_size": {
    en: "Classes by size: {bars}",
    de: "Gruppen nach Größe: {bars}",
    fr: "Groupes par taille : {bars}",
  },
  "unit.rows": {
    en: "rows",
    de: "Zeilen",
    fr: "lignes",
  },
  "unit.people": {
    en: "people",
    de: "Personen",
    fr: "personnes",
  },
  "attack.title": {
    en: "What an attacker learns",
    de: "Was ein Angreifer erfährt",
    fr: "Ce qu’un attaquant apprend",
  },
  "attack.about": {
    en: "Somebody knows that a person is in the table, and all of the person’s quasi-identifiers.",
    de: "Jemand weiß, dass eine Person in der Tabelle ist, und kennt alle ihre Quasi-Identifikatoren.",
    fr: "Quelqu’un sait qu’une personne est dans le tableau, et connaît tous ses quasi-identifiants.",
  },
  "attack.highest": {
    en: "[Probability of re-identification](re_identification), the highest: your table",
    de: "[Wahrscheinlichkeit, erkannt zu werden](re_identification), die höchste: Ihre Tabelle",
    fr: "[Probabilité d’être reconnu](re_identification), la plus élevée : votre tableau",
  },
  "attack.mean": {
    en: "Probability of re-identification, the mean: your table",
    de: "Wahrscheinlichkeit, erkannt zu werden, im Mittel: Ihre Tabelle",
    fr: "Probabilité d’être reconnu, en moyenne : votre tableau",
  },
  "attack.of_release": {
    en: "likewise: the anonymized data",
    de: "ebenso: die anonymisierten Daten",
    fr: "de même : les données anonymisées",
  },
  "attack.certain": {
    en: "{column}: [known for certain](certain)",
    de: "{column}: [mit Sicherheit bekannt](certain)",
    fr: "{column} : [connue avec certitude](certain)",
  },
  "attack.sure": {
    en: "{column}: [known with at least 90 % certainty](sure)",
    de: "{column}: [zu mindestens 90 % sicher](sure)",
    fr: "{column} : [connue à 90 % au moins](sure)",
  },
  "attack.expected": {
    en: "{column}: [guessed right, on average](expected)",
    de: "{column}: [im Mittel richtig geraten](expected)",
    fr: "{column} : [devinée juste, en moyenne](expected)",
  },
  "attack.baseline": {
    en: "{column}: [the same without the anonymized data](baseline)",
    de: "{column}: [ebenso, ohne die anonymisierten Daten](baseline)",
    fr: "{column} : [de même sans les données anonymisées](baseline)",
  },
  "together.title": {
    en: "Together with an earlier release",
    de: "Zusammen mit einer früheren Veröffentlichung",
    fr: "Avec une publication antérieure",
  },
  "together.about": {
    en: "Two releases can tell together what neither tells alone. Drop an earlier release of the same people, with the same columns:",
    de: "Zwei Veröffentlichungen können zusammen verraten, was keine allein verrät. Ziehen Sie eine frühere derselben Personen hierher, mit denselben Spalten:",
    fr: "Deux publications peuvent révéler ensemble ce qu’aucune ne révèle seule. Déposez ici une publication antérieure sur les mêmes personnes, avec les mêmes colonnes :",
  },
  "together.drop": {
    en: "Drop an earlier release",
    de: "Frühere Veröffentlichung hierher ziehen",
    fr: "Déposez une publication antérieure",
  },
  "together.kinds": {
    en: "CSV, .xlsx or Parquet",
    de: "CSV, .xlsx oder Parquet",
    fr: "CSV, .xlsx ou Parquet",
  },
  "together.no_sensitive": {
    en: "No column is sensitive: there is nothing to learn.",
    de: "Keine Spalte ist sensibel: Es gibt nichts zu erfahren.",
    fr: "Aucune colonne n’est sensible : il n’y a rien à apprendre.",
  },
  "together.nothing": {
    en: "With {earlier} there is nothing to learn: no column is sensitive.",
    de: "Mit {earlier} gibt es nichts zu erfahren: Keine Spalte ist sensibel.",
    fr: "Avec {earlier}, il n’y a rien à apprendre : aucune colonne n’est sensible.",
  },
  "together.attacking": {
    en: "Attacking the release together with {earlier} …",
    de: "Beide Veröffentlichungen werden zusammen angegriffen, mit {earlier} …",
    fr: "Attaque des deux ensemble, avec {earlier} …",
  },
  "together.some": {
    en: "{some} of {all} people",
    de: "{some} von {all} Personen",
    fr: "{some} personnes sur {all}",
  },
  "together.all": {
    en: "all {all} people",
    de: "alle {all} Personen",
    fr: "l’ensemble des {all} personnes",
  },
  "together.of": {
    en: "Attacked together with {earlier}: {people}.",
    de: "Zusammen mit {earlier} angegriffen: {people}.",
    fr: "Attaque avec {earlier} : {people}.",
  },
  "together.located_in_all": {
    en: "People whose rows are found in both",
    de: "Personen, deren Zeilen in beiden zu finden sind",
    fr: "Personnes dont les lignes se trouvent dans les deux",
  },
  "together.unread_rows": {
    en: "Rows that could not be read: nothing is known of them",
    de: "Zeilen, die sich nicht lesen ließen: Über sie ist nichts bekannt",
    fr: "Lignes qui n’ont pas pu être lues : on n’en sait rien",
  },
  "together.pvp_100": {
    en: "People for whom only one value is left possible",
    de: "Personen, bei denen nur ein Wert möglich bleibt",
    fr: "Personnes pour qui une seule valeur reste possible",
  },
  "together.sure_90": {
    en: "People whose value both together tell with at least 90 % certainty",
    de: "Personen, deren Wert beide zusammen zu mindestens 90 % sicher verraten",
    fr: "Personnes dont les deux ensemble révèlent la valeur à 90 % au moins",
  },
  "together.sure_90_release": {
    en: "The same by one of the two alone",
    de: "Dasselbe bei einer der beiden allein",
    fr: "De même avec une seule des deux",
  },
  "together.release_guess_right": {
    en: "Guessed right, from one of the two alone",
    de: "Richtig geraten, aus einer der beiden allein",
    fr: "Deviné juste, avec une seule des deux",
  },
  "together.weighted_guess_right": {
    en: "Guessed right, from both",
    de: "Richtig geraten, aus beiden",
    fr: "Deviné juste, avec les deux",
  },
  "together.contradictions": {
    en: "People of whom no value is left: their values have changed, or they are not the same people",
    de: "Personen, bei denen kein Wert übrig bleibt: Ihre Angaben haben sich geändert, oder es sind nicht dieselben Personen",
    fr: "Personnes pour qui il ne reste aucune valeur : leurs données ont changé, ou ce ne sont pas les mêmes personnes",
  },
  "together.alone": {
    en: "By themselves the data meet the requirements.",
    de: "Für sich allein erfüllen die Daten die Anforderungen.",
    fr: "À elles seules, ces données satisfont aux exigences.",
  },
  "together.try": {
    en: "Below you can try changes.",
    de: "Weiter unten können Sie Änderungen ausprobieren.",
    fr: "Plus bas, vous pouvez essayer des changements.",
  },
  "together.try_or_accept": {
    en: "Below you can try changes, or somebody can accept what is not known.",
    de: "Weiter unten können Sie Änderungen ausprobieren, oder jemand akzeptiert, was nicht bekannt ist.",
    fr: "Plus bas, vous pouvez essayer des changements, ou quelqu’un peut accepter ce qui n’est pas connu.",
  },
  "together.accept": {
    en: "No change of this table helps: who is not in the earlier release is not found there. Somebody can accept what is not known, below.",
    de: "Keine Änderung an dieser Tabelle hilft: Wer in der früheren Veröffentlichung fehlt, ist dort nicht zu finden. Jemand kann weiter unten akzeptieren, was nicht bekannt ist.",
    fr: "Changer ce tableau n’aide pas : qui manque dans la publication antérieure ne s’y trouvera pas. Plus bas, quelqu’un peut accepter ce qui n’est pas connu.",
  },
  "together.answer_first": {
    en: "First answer the questions below, about words and values: the result depends on them.",
    de: "Beantworten Sie zuerst weiter unten die Fragen zu Wörtern und Werten: Davon hängt das Ergebnis ab.",
    fr: "Répondez d’abord plus bas aux questions sur les mots et les valeurs : le résultat en dépend.",
  },
  "together.nobody": {
    en: "Together with {earlier}, nobody in this table is left with only one possible value. People who have left since, or whose data have changed, were not looked at. Nor was what somebody finds out who compares both as a whole. The command sqlanon publish looks at that.",
    de: "Auch zusammen mit {earlier} bleibt bei niemandem in dieser Tabelle nur ein Wert möglich. Personen, die seither weggefallen sind oder deren Angaben sich geändert haben, wurden nicht geprüft. Ebenso wenig, was jemand herausfindet, der beide als Ganzes vergleicht. Das prüft der Befehl sqlanon publish.",
    fr: "Même avec {earlier}, il ne reste à personne de ce tableau une seule valeur possible. Les personnes parties depuis, ou dont les données ont changé, n’ont pas été examinées. Ni ce que découvre quelqu’un qui compare les deux dans leur ensemble. La commande sqlanon publish l’examine.",
  },
  "together.certain_of": {
    en: "the value of {n} people becomes certain",
    de: "der Wert von {n} Personen steht dann fest",
    fr: "la valeur de {n} personnes devient certaine",
  },
  "together.certain_of_one": {
    en: "the value of one person becomes certain",
    de: "der Wert einer Person steht dann fest",
    fr: "la valeur d’une personne devient certaine",
  },
  "together.tell": {
    en: "Together with {earlier}: {told}.",
    de: "Zusammen mit {earlier}: {told}.",
    fr: "Avec {earlier} : {told}.",
  },
  "together.past": {
    en: "Whatever is certain was so by the earlier release already: these data add nothing to it, and no change of them helps",
    de: "Was feststeht, stand schon nach der früheren Veröffentlichung fest: Diese Daten fügen nichts hinzu, und keine Änderung an ihnen hilft",
    fr: "Ce qui est certain l’était déjà d’après la publication antérieure : ces données n’y ajoutent rien, et les changer n’aide pas",
  },
  "together.next": {
    en: "; ",
    de: "; ",
    fr: " ; ",
  },
  "together.not_compared": {
    en: "{earlier} could not be compared.",
    de: "{earlier} konnte nicht verglichen werden.",
    fr: "{earlier} n’a pas pu être comparée.",
  },
  "blind.nobody": {
    en: "there is nobody to look for",
    de: "es gibt niemanden, nach dem zu suchen wäre",
    fr: "il n’y a personne à chercher",
  },
  "blind.lost": {
    en: "{n} of {of} people were not found in one of the releases (they are new, or their data have changed)",
    de: "{n} von {of} Personen wurden in einer der Veröffentlichungen nicht gefunden (sie sind neu, oder ihre Angaben haben sich geändert)",
    fr: "{n} personnes sur {of} n’ont pas été trouvées dans l’une des publications (elles sont nouvelles, ou leurs données ont changé)",
  },
  "blind.lost_one": {
    en: "one of {of} people was not found in one of the releases (a new one, or one whose data have changed)",
    de: "eine von {of} Personen wurde in einer der Veröffentlichungen nicht gefunden (sie ist neu, oder ihre Angaben haben sich geändert)",
    fr: "une personne sur {of} n’a pas été trouvée dans l’une des publications (elle est nouvelle, ou ses données ont changé)",
  },
  "blind.contradictory": {
    en: "the releases contradict each other about {n} of {of} people",
    de: "über {n} von {of} Personen widersprechen sich die Veröffentlichungen",
    fr: "les publications se contredisent sur {n} personnes sur {of}",
  },
  "blind.contradictory_one": {
    en: "the releases contradict each other about one of {of} people",
    de: "über eine von {of} Personen widersprechen sich die Veröffentlichungen",
    fr: "les publications se contredisent sur une personne sur {of}",
  },
  "blind.unread": {
    en: "{share} of the rows of a release could not be read",
    de: "{share} der Zeilen einer Veröffentlichung ließen sich nicht lesen",
    fr: "{share} des lignes d’une publication n’ont pas pu être lues",
  },
  "blind.shared": {
    en: "the releases have no value in common",
    de: "die Veröffentlichungen haben keinen Wert gemeinsam",
    fr: "les publications n’ont aucune valeur en commun",
  },
  "blind.unfinished": {
    en: "the search was not finished for {n} of {of} people",
    de: "bei {n} von {of} Personen wurde die Suche nicht fertig",
    fr: "la recherche n’est pas finie pour {n} personnes sur {of}",
  },
  "blind.sampled": {
    en: "only a sample of the people was attacked, so it may be more",
    de: "angegriffen wurde nur eine Stichprobe der Personen; es können mehr sein",
    fr: "seul un échantillon des personnes a été attaqué ; il peut y en avoir davantage",
  },
  "blind.gone": {
    en: "the earlier release has {columns}, which has no role in this table: what is found by it is not known (if it is called otherwise now, a saved project asks)",
    de: "die frühere Veröffentlichung enthält {columns}, was in dieser Tabelle keine Rolle hat: Was sich darüber herausfinden lässt, ist nicht bekannt (heißt es jetzt anders, fragt ein gespeichertes Projekt danach)",
    fr: "la publication antérieure contient {columns}, qui n’a pas de rôle dans ce tableau : ce que l’on trouve par là n’est pas connu (si elle s’appelle autrement, un projet enregistré le demande)",
  },
  "blind.other": {
    en: "not everything could be measured",
    de: "nicht alles ließ sich messen",
    fr: "tout n’a pas pu être mesuré",
  },
  "accept.about": {
    en: "What is not known, or was certain before, may be accepted by somebody who answers for it. The reason and the name are on the decision page.",
    de: "Was nicht bekannt ist oder schon vorher feststand, kann jemand akzeptieren, der es verantwortet. Grund und Name stehen auf dem Entscheidungsblatt.",
    fr: "Ce qui n’est pas connu, ou était déjà certain, peut être accepté par quelqu’un qui en répond. Le motif et le nom figurent sur la feuille de décision.",
  },
  "accept.once": {
    en: "{by}, on {at}, for this release",
    de: "{by}, am {at}, für diese Veröffentlichung",
    fr: "{by}, le {at}, pour cette publication",
  },
  "accept.why": {
    en: "Reason",
    de: "Grund",
    fr: "Motif",
  },
  "accept.by": {
    en: "Name",
    de: "Name",
    fr: "Nom",
  },
  "accept.now": {
    en: "Accept it",
    de: "Akzeptieren",
    fr: "Accepter",
  },
  "accept.told": {
    en: "This was accepted by {by}.",
    de: "Das hat {by} akzeptiert.",
    fr: "Cela a été accepté par {by}.",
  },
  "words.about": {
    en: "These words are in only one of the two releases. If two of them mean the same, say so: nothing is assumed.",
    de: "Diese Wörter stehen nur in einer der beiden Veröffentlichungen. Wenn zwei dasselbe bedeuten, sagen Sie es: Angenommen wird nichts.",
    fr: "Ces mots ne figurent que dans l’une des deux publications. Si deux d’entre eux veulent dire la même chose, dites-le : rien n’est supposé.",
  },
  "words.question": {
    en: "The same?",
    de: "Dasselbe?",
    fr: "La même chose ?",
  },
  "words.answer": {
    en: "Answer",
    de: "Antwort",
    fr: "Réponse",
  },
  "words.same": {
    en: "earlier: {there} = now: {here}?",
    de: "früher: {there} = jetzt: {here}?",
    fr: "avant : {there} = maintenant : {here} ?",
  },
  "words.of_column": {
    en: "{column}: {there} = {here}",
    de: "{column}: {there} = {here}",
    fr: "{column} : {there} = {here}",
  },
  "words.yes": {
    en: "Yes",
    de: "Ja",
    fr: "Oui",
  },
  "words.no": {
    en: "No",
    de: "Nein",
    fr: "Non",
  },
  "words.only_earlier": {
    en: "Only earlier: {words}.",
    de: "Nur früher: {words}.",
    fr: "Seulement avant : {words}.",
  },
  "words.only_now": {
    en: "Only now: {words}.",
    de: "Nur jetzt: {words}.",
    fr: "Seulement maintenant : {words}.",
  },
  "words.said": {
    en: "You said that these are the same: {words}.",
    de: "Sie haben gesagt, dass dies dasselbe ist: {words}.",
    fr: "Vous avez dit que c’est la même chose : {words}.",
  },
  "changing.about": {
    en: "Everybody is supposed to have the same values in both releases, unless you say otherwise.",
    de: "Angenommen wird, dass jede Person in beiden Veröffentlichungen dieselben Werte hat, sofern Sie nichts anderes sagen.",
    fr: "On suppose que chaque personne a les mêmes valeurs dans les deux publications, sauf si vous dites le contraire.",
  },
  "changing.question": {
    en: "May somebody have another value of {column} now than then, as with a new visit or bill?",
    de: "Kann jemand jetzt in {column} einen anderen Wert haben als damals, etwa bei einem neuen Besuch oder einer neuen Rechnung?",
    fr: "Quelqu’un peut-il avoir maintenant une autre valeur de {column} qu’alors, par exemple pour une nouvelle visite ou facture ?",
  },
  "changing.said": {
    en: "You said that values of {columns} may change from one release to the next.",
    de: "Sie haben gesagt, dass sich Werte von {columns} von einer Veröffentlichung zur nächsten ändern können.",
    fr: "Vous avez dit que les valeurs de {columns} peuvent changer d’une publication à l’autre.",
  },
  "fit.now": {
    en: "Make it fit the earlier one",
    de: "An die frühere anpassen",
    fr: "L’adapter à la précédente",
  },
  "fit.about": {
    en: "Several changes are tried on your table, one after the other, and each is attacked together with the earlier release. Nothing is offered that was not tried.",
    de: "Mehrere Änderungen werden nacheinander an Ihrer Tabelle ausprobiert, und jede wird zusammen mit der früheren Veröffentlichung angegriffen. Angeboten wird nur, was ausprobiert wurde.",
    fr: "Plusieurs changements sont essayés sur votre tableau, l’un après l’autre, et chacun est attaqué avec la publication précédente. Rien n’est proposé sans avoir été essayé.",
  },
  "fit.trying": {
    en: "{done} of {of} changes have been tried …",
    de: "{done} von {of} Änderungen sind ausprobiert …",
    fr: "{done} changements sur {of} ont été essayés …",
  },
  "fit.not_all": {
    en: "{done} of {of} changes were tried; of the others nothing is known.",
    de: "{done} von {of} Änderungen wurden ausprobiert; über die anderen ist nichts bekannt.",
    fr: "{done} changements sur {of} ont été essayés ; des autres on ne sait rien.",
  },
  "fit.some_help": {
    en: "All changes were tried. Those with ✓ would be enough.",
    de: "Alle Änderungen wurden ausprobiert. Die mit ✓ genügen.",
    fr: "Tous les changements ont été essayés. Ceux marqués d’un ✓ suffisent.",
  },
  "fit.none_helps": {
    en: "All changes were tried, and none of them is enough. The command sqlanon publish --remedies 120 tries more.",
    de: "Alle Änderungen wurden ausprobiert, und keine genügt. Der Befehl sqlanon publish --remedies 120 probiert weitere aus.",
    fr: "Tous les changements ont été essayés, et aucun ne suffit. La commande sqlanon publish --remedies 120 en essaie d’autres.",
  },
  "fit.some_open": {
    en: "All changes were tried, and none of them is enough by itself. Those with a button leave nobody certain: what is not known can be accepted.",
    de: "Alle Änderungen wurden ausprobiert, und keine genügt allein. Bei denen mit einer Schaltfläche steht von niemandem der Wert fest; was nicht bekannt ist, lässt sich akzeptieren.",
    fr: "Tous les changements ont été essayés, et aucun ne suffit à lui seul. Avec ceux qui ont un bouton, la valeur de personne n’est certaine ; ce qui n’est pas connu peut être accepté.",
  },
  "fit.cancel": {
    en: "Stop",
    de: "Abbrechen",
    fr: "Arrêter",
  },
  "fit.change": {
    en: "Change",
    de: "Änderung",
    fr: "Changement",
  },
  "fit.does": {
    en: "Its effect",
    de: "Wirkung",
    fr: "Son effet",
  },
  "fit.take": {
    en: "Take it",
    de: "Übernehmen",
    fr: "L’adopter",
  },
  "fit.taken": {
    en: "Taken: {change}.",
    de: "Übernommen: {change}.",
    fr: "Adopté : {change}.",
  },
  "fit.same_rows": {
    en: "every class is made of whole classes of the earlier release",
    de: "jede Gruppe besteht aus ganzen Gruppen der früheren Veröffentlichung",
    fr: "chaque groupe est fait de groupes entiers de la publication précédente",
  },
  "fit.same_categories": {
    en: "the same categories as in the earlier release, up to {share} % of the rows left out",
    de: "dieselben Kategorien wie in der früheren Veröffentlichung, bis zu {share} % der Zeilen weggelassen",
    fr: "les mêmes catégories que dans la publication précédente, jusqu’à {share} % des lignes écartées",
  },
  "fit.composed": {
    en: "both together leave at least {l} values possible for everybody",
    de: "beide zusammen lassen bei jeder Person mindestens {l} Werte möglich",
    fr: "les deux ensemble laissent à chacun au moins {l} valeurs possibles",
  },
  "fit.alpha": {
    en: "no value has more than the share {alpha} of a class (alpha)",
    de: "kein Wert hat in einer Gruppe einen größeren Anteil als {alpha} (alpha)",
    fr: "aucune valeur n’a dans un groupe une part supérieure à {alpha} (alpha)",
  },
  "fit.l": {
    en: "at least {l} different values in each class (l)",
    de: "mindestens {l} verschiedene Werte in jeder Gruppe (l)",
    fr: "au moins {l} valeurs différentes par groupe (l)",
  },
  "fit.k": {
    en: "at least {k} in each class (k)",
    de: "mindestens {k} in jeder Gruppe (k)",
    fr: "au moins {k} par groupe (k)",
  },
  "fit.verdict_not_tried": {
    en: "Not tried.",
    de: "Nicht ausprobiert.",
    fr: "Pas essayé.",
  },
  "fit.verdict_running": {
    en: "Being tried …",
    de: "Wird ausprobiert …",
    fr: "À l’essai …",
  },
  "fit.verdict_holds": {
    en: "Nobody is left with only one possible value.",
    de: "Bei niemandem bleibt nur ein Wert möglich.",
    fr: "Il ne reste à personne une seule valeur possible.",
  },
  "fit.verdict_fails": {
    en: "The value of {n} people is still certain.",
    de: "Der Wert von {n} Personen steht weiterhin fest.",
    fr: "La valeur de {n} personnes reste certaine.",
  },
  "fit.verdict_fails_one": {
    en: "The value of one person is still certain.",
    de: "Der Wert einer Person steht weiterhin fest.",
    fr: "La valeur d’une personne reste certaine.",
  },
  "fit.verdict_not_known": {
    en: "Not everything is known.",
    de: "Nicht alles ist bekannt.",
    fr: "Tout n’est pas connu.",
  },
  "fit.verdict_refused": {
    en: "No release can be made so.",
    de: "So ist keine Veröffentlichung möglich.",
    fr: "Aucune publication n’est possible ainsi.",
  },
  "fit.refused_same_rows": {
    en: "For this both must have the same rows, and the earlier classes must not overlap.",
    de: "Dafür müssen beide dieselben Zeilen haben, und die früheren Gruppen dürfen sich nicht überschneiden.",
    fr: "Pour cela, les deux doivent avoir les mêmes lignes, et les groupes précédents ne doivent pas se chevaucher.",
  },
  "fit.refused_same_categories": {
    en: "The earlier categories cannot be taken over for these rows: they overlap, or too many rows would have to be left out.",
    de: "Die früheren Kategorien lassen sich für diese Zeilen nicht übernehmen: Sie überschneiden sich, oder zu viele Zeilen müssten wegfallen.",
    fr: "Les catégories précédentes ne peuvent pas être reprises pour ces lignes : elles se chevauchent, ou trop de lignes devraient être écartées.",
  },
  "fit.left_out": {
    en: "{rows} rows are left out.",
    de: "{rows} Zeilen werden weggelassen.",
    fr: "{rows} lignes sont écartées.",
  },
  "reached.title": {
    en: "What every model reaches",
    de: "Was jedes Modell erreicht",
    fr: "Ce que chaque modèle atteint",
  },
  "reached.model": {
    en: "Model",
    de: "Modell",
    fr: "Modèle",
  },
  "reached.sensitive": {
    en: "Sensitive",
    de: "Sensibel",
    fr: "Sensible",
  },
  "lost.title": {
    en: "What is lost",
    de: "Was verloren geht",
    fr: "Ce qui est perdu",
  },
  "lost.all": {
    en: "[Loss over all columns](loss) (0: none, 1: everything)",
    de: "[Verlust über alle Spalten](loss) (0: keiner, 1: alles)",
    fr: "[Perte sur toutes les colonnes](loss) (0 : aucune, 1 : tout)",
  },
  "lost.column": {
    en: "Loss of {column}",
    de: "Verlust von {column}",
    fr: "Perte de {column}",
  },
  "lost.counts": {
    en: "[Error of random counts over ranges](counts), median",
    de: "[Fehler zufälliger Zählungen über Bereiche](counts), Median",
    fr: "[Erreur de comptages tirés au hasard sur des intervalles](counts), médiane",
  },
  "lost.suppressed": {
    en: "Rows that are left out",
    de: "Weggelassene Zeilen",
    fr: "Lignes écartées",
  },
  "take.title": {
    en: "Download",
    de: "Herunterladen",
    fr: "Télécharger",
  },
  "take.about": {
    en: "The data can be downloaded only if the requirements are met. The project file has your choices, the releases and the decisions; today’s data count as published in it. Keep it as safe as the table.",
    de: "Die Daten lassen sich nur herunterladen, wenn die Anforderungen erfüllt sind. Die Projektdatei enthält Ihre Auswahl, die Veröffentlichungen und die Entscheidungen; die heutigen Daten gelten darin als veröffentlicht. Bewahren Sie sie so sicher auf wie die Tabelle.",
    fr: "Les données ne se téléchargent que si les exigences sont satisfaites. Le projet contient vos choix, les publications et les décisions ; les données d’aujourd’hui y comptent comme publiées. Gardez-le aussi soigneusement que le tableau.",
  },
  "take.csv": {
    en: "Anonymized data, CSV",
    de: "Anonymisierte Daten, CSV",
    fr: "Données anonymisées, CSV",
  },
  "take.parquet": {
    en: "Anonymized data, Parquet",
    de: "Anonymisierte Daten, Parquet",
    fr: "Données anonymisées, Parquet",
  },
  "take.policy": {
    en: "Policy, TOML",
    de: "Richtlinie, TOML",
    fr: "Politique, TOML",
  },
  "take.sql": {
    en: "Script for DuckDB",
    de: "Skript für DuckDB",
    fr: "Script pour DuckDB",
  },
  "take.page": {
    en: "Decision page, to sign",
    de: "Entscheidungsblatt zum Unterschreiben",
    fr: "Feuille de décision à signer",
  },
  "take.project": {
    en: "Project, for next month",
    de: "Projekt, für den nächsten Monat",
    fr: "Projet, pour le mois prochain",
  },
  "release.rows_counted": {
    en: "Rows were counted, not people: {column} may name the person.",
    de: "Gezählt wurden Zeilen, nicht Personen: {column} bezeichnet vielleicht die Person.",
    fr: "Ce sont des lignes qui ont été comptées, pas des personnes : {column} désigne peut-être la personne.",
  },
  "decision.yes": {
    en: "Yes, by these requirements",
    de: "Ja, nach diesen Anforderungen",
    fr: "Oui, selon ces exigences",
  },
  "decision.only_these": {
    en: "Not looked at: people who are in {earlier} and have left, or whose data have changed since. For them, sqlanon publish says “not known”. Nor was what somebody finds out who compares both releases as a whole.",
    de: "Nicht geprüft: Personen, die in {earlier} sind und nicht mehr in der Tabelle oder deren Angaben sich geändert haben. Für sie sagt sqlanon publish „nicht bekannt“. Ebenso wenig, was jemand herausfindet, der beide Veröffentlichungen als Ganzes vergleicht.",
    fr: "Pas examinées : les personnes qui sont dans {earlier} et sont parties, ou dont les données ont changé depuis. Pour elles, sqlanon publish dit « inconnu ». Ni ce que découvre quelqu’un qui compare les deux publications dans leur ensemble.",
  },
  "decision.nothing_sent": {
    en: "This was found out in a browser, on the machine where the table is. Nothing was published.",
    de: "Das wurde im Browser festgestellt, auf dem Rechner, auf dem die Tabelle liegt. Es wurde nichts veröffentlicht.",
    fr: "Cela a été établi dans un navigateur, sur l’ordinateur où se trouve le tableau. Rien n’a été publié.",
  },
  "decision.requirements": {
    en: "The requirements were checked on the finished data: {met}.",
    de: "Die Anforderungen wurden an den fertigen Daten nachgeprüft: {met}.",
    fr: "Les exigences ont été vérifiées sur les données finies : {met}.",
  },
  "decision.unsaid_people": {
    en: "{column} may name the person. Nobody has confirmed it, and rows were counted, not people.",
    de: "{column} bezeichnet vielleicht die Person. Das hat niemand bestätigt, und gezählt wurden Zeilen, nicht Personen.",
    fr: "{column} désigne peut-être la personne. Nul ne l’a confirmé, et ce sont des lignes qui ont été comptées, pas des personnes.",
  },
  "decision.not_measured": {
    en: "Something could not be measured; the page said so when this was made.",
    de: "Etwas ließ sich nicht messen; die Seite hat es beim Erstellen gemeldet.",
    fr: "Quelque chose n’a pas pu être mesuré : la page l’a dit au moment de l’établir.",
  },
  "decision.unseen_others": {
    en: "What else has been published about these people, apart from {earlier}.",
    de: "Was sonst über diese Personen veröffentlicht ist, außer {earlier}.",
    fr: "Ce qui a été publié d’autre sur ces personnes, hormis {earlier}.",
  },
  "decision.unseen_all_others": {
    en: "Whatever has been published about these people before, by you or by others: no earlier release was loaded.",
    de: "Alles, was Sie oder andere früher über diese Personen veröffentlicht haben: Eine frühere Veröffentlichung wurde nicht geladen.",
    fr: "Tout ce qui a été publié auparavant sur ces personnes, par vous ou par d’autres : aucune publication antérieure n’a été chargée.",
  },
  "decision.unseen_attacks": {
    en: "Attacks other than those below. The command sqlanon publish makes more of them, and keeps a register of all releases.",
    de: "Andere Angriffe als die unten genannten. Der Befehl sqlanon publish führt weitere aus und hält alle Veröffentlichungen in einem Register fest.",
    fr: "D’autres attaques que celles ci-dessous. La commande sqlanon publish en fait davantage, et tient un registre de toutes les publications.",
  },
  "decision.values": {
    en: "Different values",
    de: "Verschiedene Werte",
    fr: "Valeurs différentes",
  },
  "decision.said_words": {
    en: "{n} words of {column} in the earlier release mean words of today.",
    de: "{n} Wörter der früheren Veröffentlichung in {column} bedeuten heutige Wörter.",
    fr: "{n} mots de la publication antérieure dans {column} correspondent à des mots d’aujourd’hui.",
  },
  "decision.said_words_one": {
    en: "One word of {column} in the earlier release means a word of today.",
    de: "Ein Wort der früheren Veröffentlichung in {column} bedeutet ein heutiges.",
    fr: "Un mot de la publication antérieure dans {column} correspond à un mot d’aujourd’hui.",
  },
  "decision.guessed": {
    en: "Guessed right: {expected}, and {baseline} without the anonymized data.",
    de: "Richtig geraten: {expected}, ohne die anonymisierten Daten {baseline}.",
    fr: "Deviné juste : {expected}, et {baseline} sans les données anonymisées.",
  },
  "decision.names_nobody": {
    en: "No column names people, as far as values and names tell.",
    de: "Keine Spalte nennt Personen, soweit Werte und Namen es erkennen lassen.",
    fr: "Aucune colonne ne nomme de personnes, d’après les valeurs et les noms.",
  },
  "decision.column_names": {
    en: "{column} names people.",
    de: "{column} nennt Personen.",
    fr: "{column} nomme des personnes.",
  },
  "decision.column_may_name": {
    en: "It is not known whether {column} names people.",
    de: "Ob {column} Personen nennt, ist nicht bekannt.",
    fr: "On ne sait pas si {column} nomme des personnes.",
  },
  "decision.no_earlier": {
    en: "No earlier release was loaded: nothing was compared.",
    de: "Es wurde keine frühere Veröffentlichung geladen: Verglichen wurde nichts.",
    fr: "Aucune publication antérieure n’a été chargée : rien n’a été comparé.",
  },
  "counts.tab_rows": {
    en: "Data about people",
    de: "Daten über Personen",
    fr: "Des données sur des personnes",
  },
  "counts.tab": {
    en: "Only a table of counts",
    de: "Nur eine Tabelle mit Anzahlen",
    fr: "Seulement un tableau de comptage",
  },
  "counts.about": {
    en: "Small numbers are hidden, and as many others as it takes so that nobody can compute them from the totals.",
    de: "Kleine Zahlen werden verborgen, und dazu so viele andere, dass niemand sie aus den Summen errechnen kann.",
    fr: "Les petits nombres sont masqués, et assez d’autres avec eux pour que personne ne puisse les calculer à partir des totaux.",
  },
  "counts.first": {
    en: "Columns of the table by",
    de: "Spalten der Tabelle nach",
    fr: "Colonnes du tableau selon",
  },
  "counts.second": {
    en: "Rows of the table by",
    de: "Zeilen der Tabelle nach",
    fr: "Lignes du tableau selon",
  },
  "counts.weight": {
    en: "How much a row of your file counts",
    de: "Wie viel eine Zeile Ihrer Datei zählt",
    fr: "Pour combien compte une ligne de votre fichier",
  },
  "counts.unit": {
    en: "Column that names the person",
    de: "Spalte, die die Person bezeichnet",
    fr: "Colonne qui désigne la personne",
  },
  "counts.threshold": {
    en: "Smallest number that may be shown",
    de: "Kleinste Zahl, die gezeigt werden darf",
    fr: "Le plus petit nombre qui peut être montré",
  },
  "counts.none": {
    en: "nothing: a single line",
    de: "nichts: eine einzige Zeile",
    fr: "rien : une seule ligne",
  },
  "counts.a_row": {
    en: "one",
    de: "eins",
    fr: "un",
  },
  "counts.nobody": {
    en: "none: each person has one row",
    de: "keine: jede Person hat eine Zeile",
    fr: "aucune : chaque personne a une ligne",
  },
  "counts.make": {
    en: "Make the table",
    de: "Tabelle erstellen",
    fr: "Faire le tableau",
  },
  "counts.get": {
    en: "Table, CSV",
    de: "Tabelle, CSV",
    fr: "Tableau, CSV",
  },
  "counts.total": {
    en: "total",
    de: "gesamt",
    fr: "total",
  },
  "counts.empty": {
    en: "(empty)",
    de: "(leer)",
    fr: "(vide)",
  },
  "counts.made": {
    en: "Small numbers are hidden",
    de: "Kleine Zahlen sind verborgen",
    fr: "Les petits nombres sont masqués",
  },
  "counts.none_small": {
    en: "No number is small",
    de: "Keine Zahl ist klein",
    fr: "Aucun nombre n’est petit",
  },
  "counts.says": {
    en: "Hidden (×): numbers below {threshold} ({small}), and others to protect them ({others}). From this table alone each small number can still be at least {threshold} different numbers, even for the only person of another hidden cell.",
    de: "Verborgen (×): Zahlen unter {threshold} ({small}) und andere, um sie zu schützen ({others}). Allein nach dieser Tabelle kann jede kleine Zahl noch mindestens {threshold} verschiedene Werte haben, auch für die einzige Person einer anderen verborgenen Zelle.",
    fr: "Masqués (×) : les nombres inférieurs à {threshold} ({small}), et d’autres pour les protéger ({others}). D’après ce seul tableau, chaque petit nombre peut encore prendre au moins {threshold} valeurs différentes, même pour la seule personne d’une autre cellule masquée.",
  },
  "counts.says_none": {
    en: "Nothing is hidden: all numbers are 0, or at least {threshold}.",
    de: "Es wurde nichts verborgen: Alle Zahlen sind 0 oder mindestens {threshold}.",
    fr: "Rien n’est masqué : tous les nombres sont 0, ou au moins {threshold}.",
  },
  "counts.open": {
    en: "What was not looked at",
    de: "Was nicht geprüft wurde",
    fr: "Ce qui n’a pas été examiné",
  },
  "counts.open_other_tables": {
    en: "Other tables of the same people, also earlier ones: two tables can tell together what neither tells alone. The command sqlanon table compares them.",
    de: "Andere Tabellen über dieselben Personen, auch frühere: Zwei Tabellen können zusammen verraten, was keine allein verrät. Der Befehl sqlanon table vergleicht sie.",
    fr: "D’autres tableaux sur les mêmes personnes, même antérieurs : deux tableaux peuvent révéler ensemble ce qu’aucun ne révèle seul. La commande sqlanon table les compare.",
  },
  "counts.open_zeros": {
    en: "Zeros are shown: everybody sees which combinations do not exist, and whether all people of a line are in one cell.",
    de: "Nullen werden gezeigt: Alle sehen, welche Kombinationen nicht vorkommen und ob alle Personen einer Zeile in einer einzigen Zelle stehen.",
    fr: "Les zéros sont montrés : chacun voit quelles combinaisons n’existent pas, et si toutes les personnes d’une ligne sont dans une seule cellule.",
  },
  "counts.open_rows": {
    en: "Whether people have several rows: rows are counted, and there may be fewer people.",
    de: "Ob Personen mehrere Zeilen haben: Gezählt werden Zeilen, und dahinter können weniger Personen stehen.",
    fr: "Si des personnes ont plusieurs lignes : ce sont des lignes qui sont comptées, et il peut y avoir moins de personnes.",
  },
  "counts.open_of_counts": {
    en: "Whether the counts in your file are of people, and each person is in one of them alone.",
    de: "Ob die Anzahlen in Ihrer Datei Personen zählen, und jede Person nur einmal.",
    fr: "Si les nombres de votre fichier comptent des personnes, chacune une seule fois.",
  },
  "counts.open_chosen": {
    en: "Somebody who knows several people of the table, or how hidden cells are chosen here.",
    de: "Wer mehrere Personen der Tabelle kennt oder weiß, wie verborgene Zellen hier gewählt werden.",
    fr: "Quelqu’un qui connaît plusieurs personnes du tableau, ou la façon dont les cellules masquées sont choisies ici.",
  },
  "counts.choose": {
    en: "choose two different columns with at most 40 values, or one",
    de: "Wählen Sie zwei verschiedene Spalten mit höchstens 40 Werten, oder eine",
    fr: "choisissez deux colonnes différentes d’au plus 40 valeurs, ou une seule",
  },
  "counts.no_threshold": {
    en: "the smallest number that may be shown must be 2 or more",
    de: "Die kleinste Zahl, die gezeigt werden darf, muss mindestens 2 sein",
    fr: "le plus petit nombre qui peut être montré doit être au moins 2",
  },
  "counts.weight_and_unit": {
    en: "a file of counts does not say who the people are: choose one of the two",
    de: "Eine Datei mit Anzahlen sagt nicht, welche Personen es sind: Wählen Sie eines von beiden",
    fr: "un fichier de nombres ne dit pas qui sont les personnes : choisissez l’un des deux",
  },
  "counts.unit_said": {
    en: "{column} names the person of a row, as you have said, and people have several rows: choose it, so that people are counted",
    de: "{column} bezeichnet nach Ihrer Angabe die Person, und Personen haben mehrere Zeilen: Wählen Sie diese Spalte, damit Personen gezählt werden",
    fr: "{column} désigne la personne, selon votre indication, et des personnes ont plusieurs lignes : choisissez cette colonne, pour que des personnes soient comptées",
  },
  "counts.unsaid": {
    en: "{column} may name the person of a row, so that people must be counted: say above whether it does",
    de: "{column} bezeichnet vielleicht die Person einer Zeile, dann müssen Personen gezählt werden: Beantworten Sie oben die Frage danach",
    fr: "{column} désigne peut-être la personne d’une ligne, et il faut alors compter des personnes : répondez plus haut à cette question",
  },
  "counts.overlap": {
    en: "People who are in several cells count once in each of them, and once in each total: totals are no sums.",
    de: "Personen, die in mehreren Zellen stehen, zählen in jeder davon einmal, und in jeder Gesamtzahl einmal: Gesamtzahlen sind keine Summen.",
    fr: "Les personnes qui sont dans plusieurs cellules comptent une fois dans chacune, et une fois dans chaque total : les totaux ne sont pas des sommes.",
  },
  "counts.not_protected": {
    en: "the small numbers of this table cannot be protected here, or not in 20 seconds: choose columns with fewer values. No table is made",
    de: "Die kleinen Zahlen dieser Tabelle lassen sich hier nicht schützen, oder nicht in 20 Sekunden: Wählen Sie Spalten mit weniger Werten. Es wird keine Tabelle erstellt",
    fr: "les petits nombres de ce tableau ne peuvent pas être protégés ici, ou pas en 20 secondes : choisissez des colonnes avec moins de valeurs. Aucun tableau n’est fait",
  },

  // Models, by the ids that privacy gives them
  "model.k": {
    en: "k-anonymity",
    de: "k-Anonymität",
    fr: "k-anonymat",
  },
  "model.l": {
    en: "distinct l-diversity",
    de: "l-Diversität (verschiedene)",
    fr: "l-diversité (valeurs distinctes)",
  },
  "required.l_name": {
    en: "l-diversity",
    de: "l-Diversität",
    fr: "l-diversité",
  },
  "model.entropy_l": {
    en: "entropy l-diversity",
    de: "l-Diversität (Entropie)",
    fr: "l-diversité (entropie)",
  },
  "model.recursive_c": {
    en: "recursive (c, l)-diversity",
    de: "rekursive (c, l)-Diversität",
    fr: "(c, l)-diversité récursive",
  },
  "model.alpha": {
    en: "(alpha, k)-anonymity",
    de: "(alpha, k)-Anonymität",
    fr: "(alpha, k)-anonymat",
  },
  "model.t": {
    en: "t-closeness",
    de: "t-Closeness",
    fr: "t-proximité",
  },
  "model.t_equal": {
    en: "t-closeness (equal)",
    de: "t-Closeness (gleich)",
    fr: "t-proximité (égale)",
  },
  "model.t_ordered": {
    en: "t-closeness (ordered)",
    de: "t-Closeness (geordnet)",
    fr: "t-proximité (ordonnée)",
  },
  "model.beta": {
    en: "beta-likeness (basic)",
    de: "beta-Likeness (einfach)",
    fr: "beta-likeness (simple)",
  },
  "model.enhanced_beta": {
    en: "beta-likeness (enhanced)",
    de: "beta-Likeness (verschärft)",
    fr: "beta-likeness (renforcée)",
  },
  "model.delta_disclosure": {
    en: "delta-disclosure",
    de: "delta-Disclosure",
    fr: "delta-disclosure",
  },
};
