// What words mean, a sentence each: texts of the page, as in texts.js.

export const MEANINGS = {
  "word.qi": {
    en: "A column that others may know about a person, such as age, postcode or sex. Together such columns can single somebody out.",
    de: "Eine Spalte, die andere von jemandem kennen können: Alter, Postleitzahl, Geschlecht. Zusammen können sie jemanden herausgreifen.",
    fr: "Une colonne que d’autres peuvent connaître d’une personne : âge, code postal, sexe. Ensemble, de telles colonnes peuvent désigner quelqu’un.",
  },
  "word.sensitive": {
    en: "What nobody should learn about a person, such as a disease. It is published unchanged.",
    de: "Was niemand über jemanden erfahren soll, etwa eine Krankheit. Wird unverändert veröffentlicht.",
    fr: "Ce que personne ne doit apprendre sur quelqu’un, une maladie par exemple. Publiée telle quelle.",
  },
  "word.identifier": {
    en: "A column that says by itself who somebody is, such as a name or a number. It is never published.",
    de: "Eine Spalte, die allein sagt, wer jemand ist, etwa Name oder Nummer. Sie wird nie veröffentlicht.",
    fr: "Une colonne qui dit à elle seule qui est quelqu’un, comme un nom ou un numéro. Elle n’est jamais publiée.",
  },
  "word.level": {
    en: "A level of a hierarchy: level 0 is the value itself, level 1 the finest group, and so on up to *.",
    de: "Stufe einer Hierarchie: Stufe 0 ist der Wert selbst, Stufe 1 die feinste Vergröberung, und so weiter bis *.",
    fr: "Niveau d’une hiérarchie : le niveau 0 est la valeur elle-même, le niveau 1 le regroupement le plus fin, et ainsi de suite jusqu’à *.",
  },
  "word.class": {
    en: "The rows that look alike: all their released quasi-identifiers are the same.",
    de: "Die Zeilen mit denselben Angaben: Alle ihre veröffentlichten Quasi-Identifikatoren sind gleich.",
    fr: "Les lignes qui se ressemblent : tous leurs quasi-identifiants publiés sont les mêmes.",
  },
  "word.k": {
    en: "Everybody is one of at least k rows that look alike.",
    de: "Jede Zeile gehört zu einer Gruppe von mindestens k Zeilen mit denselben Angaben.",
    fr: "Chaque ligne est l’une d’au moins k lignes indiscernables.",
  },
  "word.l": {
    en: "Every class has at least l different sensitive values.",
    de: "Jede Gruppe hat mindestens l verschiedene sensible Werte.",
    fr: "Chaque groupe a au moins l valeurs sensibles différentes.",
  },
  "word.entropy_l": {
    en: "The sensitive values of every class are as evenly mixed as l equally frequent ones.",
    de: "Die sensiblen Werte jeder Gruppe sind so gleichmäßig gemischt wie l gleich häufige.",
    fr: "Les valeurs sensibles de chaque groupe sont aussi bien mélangées que l valeurs également fréquentes.",
  },
  "word.recursive_c": {
    en: "In no class is the most frequent sensitive value much more frequent than the rarer ones together.",
    de: "In keiner Gruppe ist der häufigste sensible Wert viel häufiger als die selteneren zusammen.",
    fr: "Dans aucun groupe la valeur sensible la plus fréquente n’est beaucoup plus fréquente que les plus rares réunies.",
  },
  "word.alpha": {
    en: "No sensitive value has a larger share of a class than alpha.",
    de: "Kein sensibler Wert hat in einer Gruppe einen größeren Anteil als alpha.",
    fr: "Aucune valeur sensible n’a dans un groupe une part supérieure à alpha.",
  },
  "word.t": {
    en: "The sensitive values of a class are distributed almost as in the whole table: the distance is at most t.",
    de: "Die sensiblen Werte einer Gruppe sind fast so verteilt wie die der ganzen Tabelle: Der Abstand ist höchstens t.",
    fr: "Les valeurs sensibles d’un groupe sont réparties presque comme dans tout le tableau : la distance est d’au plus t.",
  },
  "word.t_ordered": {
    en: "The same, where neighbouring values are nearer than others.",
    de: "Dasselbe, wobei benachbarte Werte einander näher sind als andere.",
    fr: "De même, mais des valeurs voisines sont plus proches que les autres.",
  },
  "word.t_equal": {
    en: "The sensitive values of a class are distributed almost as in the whole table: the distance is at most t.",
    de: "Die sensiblen Werte einer Gruppe sind fast so verteilt wie die der ganzen Tabelle: Der Abstand ist höchstens t.",
    fr: "Les valeurs sensibles d’un groupe sont réparties presque comme dans tout le tableau : la distance est d’au plus t.",
  },
  "word.beta": {
    en: "How many times more frequent a sensitive value is in a class than in the whole table, less 1: the largest of all.",
    de: "Wievielmal häufiger ein sensibler Wert in einer Gruppe ist als in der ganzen Tabelle, minus 1; gezeigt ist der größte Wert.",
    fr: "Combien de fois plus fréquente une valeur sensible est dans un groupe que dans tout le tableau, moins 1 ; le maximum est montré.",
  },
  "word.enhanced_beta": {
    en: "The same, with a stricter bound for values that are frequent anyway.",
    de: "Dasselbe, mit einer strengeren Grenze für Werte, die ohnehin häufig sind.",
    fr: "De même, avec une limite plus stricte pour les valeurs déjà fréquentes.",
  },
  "word.delta_disclosure": {
    en: "How much the share of a sensitive value in a class differs from that in the whole table, as a logarithm: the largest of all.",
    de: "Wie sehr der Anteil eines sensiblen Werts in einer Gruppe von dem in der ganzen Tabelle abweicht, als Logarithmus; gezeigt ist der größte Wert.",
    fr: "De combien la part d’une valeur sensible dans un groupe diffère de celle dans tout le tableau, en logarithme : le maximum.",
  },
  "word.re_identification": {
    en: "Somebody looks for a person in the release, and picks a row that looks like theirs. How probably is it the right one?",
    de: "Jemand sucht eine Person und greift eine Zeile heraus, die wie ihre aussieht. Wie wahrscheinlich ist es die richtige?",
    fr: "Quelqu’un cherche une personne et prend une ligne qui ressemble à la sienne. Quelle est la probabilité que ce soit la bonne ?",
  },
  "word.certain": {
    en: "All rows of the class have one value: who finds the class knows the value.",
    de: "Alle Zeilen der Gruppe haben einen Wert: Wer die Gruppe findet, kennt ihn.",
    fr: "Toutes les lignes du groupe ont une seule valeur : qui trouve le groupe connaît la valeur.",
  },
  "word.sure": {
    en: "Nine of ten rows of the class, or more, have one value.",
    de: "Neun von zehn Zeilen der Gruppe oder mehr haben einen Wert.",
    fr: "Neuf lignes du groupe sur dix, ou plus, ont une même valeur.",
  },
  "word.expected": {
    en: "Somebody always guesses the most frequent value of the class. So often are they right.",
    de: "Jemand rät immer den häufigsten Wert der Gruppe. So oft stimmt es.",
    fr: "Quelqu’un devine toujours la valeur la plus fréquente du groupe. Voilà combien de fois il a raison.",
  },
  "word.baseline": {
    en: "Somebody always guesses the most frequent value of the whole table, without the release. So often are they right.",
    de: "Jemand rät immer den häufigsten Wert der ganzen Tabelle, ohne die anonymisierten Daten. So oft stimmt es.",
    fr: "Quelqu’un devine toujours la valeur la plus fréquente de tout le tableau, sans les données anonymisées. Voilà combien de fois il a raison.",
  },
  "word.loss": {
    en: "0: nothing is coarser than in your table. 1: all values are merged into one. (GCP, and NCP of each column.)",
    de: "0: Nichts ist gröber als in Ihrer Tabelle. 1: Alle Werte sind zu einem einzigen zusammengefasst. (GCP, und NCP je Spalte.)",
    fr: "0 : rien n’est moins précis que dans votre tableau. 1 : toutes les valeurs sont réunies en une seule. (GCP, et NCP de chaque colonne.)",
  },
  "word.counts": {
    en: "Questions such as: how many people are from 20 to 35? Half of the answers from the anonymized data are off by less than this.",
    de: "Fragen wie: Wie viele Personen sind 20 bis 35 Jahre alt? Die Hälfte der Antworten aus den anonymisierten Daten liegt um weniger als das daneben.",
    fr: "Des questions comme : combien de personnes ont de 20 à 35 ans ? La moitié des réponses tirées des données anonymisées s’écartent de moins que cela.",
  },
};
