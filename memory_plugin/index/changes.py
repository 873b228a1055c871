"""The words in which people say that something is not what it was: English and French.

Each row is a pattern over a text in small letters with straight quotes. ANEW says that there is another value,
GONE that the old one holds no more, CORRECTED that it never held, REASON gives a reason for a change.
"""

# ruff: noqa: E501 -- one pattern is one row of the table, however long

from __future__ import annotations

ANEW = (
    r"\bfrom now on\b|\bgoing forward\b|\bthese days\b|\bas of\b|\bsince (?:the|last|this|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|yesterday|i\b|we\b|\d)",
    r"\b(?:has|have|had|was|were|been|got|'s|'ve|'re|we|i|they|it|he|she|already|just|finally)\s+(?:just |now |already |all |both |finally )?(?:been )?(?:moved|switched|changed|replaced|migrated|ported|rewritten|rewrote|renamed|raised|lowered|doubled|halved|increased|decreased|reduced|bumped|extended|shortened|postponed|delayed|brought forward|rescheduled|promoted|transferred|converted|upgraded|downgraded|recreated|retrained|swapped|split|pushed|redone|reworked|rebuilt|redesigned|relocated)\b",
    r"\b(?:moved|switched|switching|moving|migrated|changed|went|going|ported) (?:it |them |everything |all |over |back )?(?:from .{1,40} )?(?:to|over|into|onto|for)\b",
    r"\btook (?:it |that |this |the role )?over\b|\btaken over\b|\bwe ended up\b|\bended up (?:with|on)\b|\bturned \d\d\b|\bused to\b",
    r"\b(?:up|down|back) to\b|\binstead\b|\brather\b(?! than)|\bi'd rather\b|\bafter all\b|\bin the end\b|\bactually\b|\bnow\b|\bbetter\b|\benough\b",
    r"\b(?:was|were|got|been) added\b|\bnewer is needed\b|\bhas to .{1,30} too\b|\b(?:may|can) .{1,40} too\b",
    r"\bbrought .{1,40}(?:up|down)\b|\bput me (?:up|down|on|back)\b|\bgave us\b|\bgave me\b|\bgot the\b|\bcut it\b|\bmake it\b|\bset it\b|\bput it\b|\bkeep it\b|\bcall (?:it|that|the)\b",
    r"\bpushed (?:it|the|to|back)\b|\bpushed .{1,30} to\b|\bhas its own\b|\bgets its own\b|\btheir own\b",
    r"\bdésormais\b|\bdorénavant\b|\bmaintenant\b|\bà partir de\b|\bfinalement\b|\bau final\b|\ben fin de compte\b|\bdepuis (?:que|la|le|les|l'|hier|lundi|mardi|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|\d)",
    r"\b(?:est|sont|a été|ont été|on est|je suis|nous sommes|on a|j'ai|c'est|tout a été|a|ont) (?:tout |déjà |enfin |bien |été )*(?:passée?s?|basculée?s?|migrée?s?|transférée?s?|portée?s?|réécrite?s?|remplacée?s?|rebaptisée?s?|renommée?s?|changée?s?|décalée?s?|reportée?s?|repoussée?s?|avancée?s?|montée?s?|descendue?s?|relevée?s?|baissée?s?|augmentée?s?|rabotée?s?|doublée?s?|prolongée?s?|mutée?s?|déplacée?s?|déménagée?s?|repris(?:e|es)?|confiée?s?|mis|pris|choisi|adopté)\b",
    r"\bpasse (?:par|en|à|sur|au)\b|\bpassez? (?:par|en|à|sur|au)\b|\bdéplace|\bmets[ -]|\bmettez\b|\bremplace\b|\bdu coup\b|\ble temps de\b|\btout tourne\b|\bça suffit\b|\bsuffi(?:t|sent)\b|\bca sera\b|\bce sera\b|\bon la fait\b|\bon le fait\b|\btoutes? seules?\b",
    r"\bplutôt\b(?! que)|\bje préfère qu|\bpassé côté\b|\bpassée côté\b|\bon change\b|\ba changé\b|\bj'ai changé\b|\bje m'y mets\b|\bje vise\b",
)
GONE = (
    r"\brather than\b|\binstead of\b|, not [\w/.-]+|\bnot \w+ing\b.{0,20}\bbut\b|\bnever from\b|\bplutôt que\b|\bau lieu d|\bet non\b|, pas (?:sur |en |le |la |les |l'|à )?[\w/]+\b",
    r"\bno longer\b|\banymore\b|\bany more\b|\bno more\b|\bgone\b|\bnobody\b|\bnot needed\b|\bno need\b|\bnot required\b|\bno problem\b|\bdone with\b|\bis over\b|\bcame back clean\b|\bcast is off\b|\bwithout the\b|\bdead\b|\bretired\b|\bran out\b|\bfor nothing\b",
    r"\b(?:left|quit|quitting|stopped|stop|dropped|dropping|drop|abandoned|cancell?ed|shut down|switched off|turned off|scrapped|scrap|ditched|ditch|gave up|given up|give up|broke (?:it|up)|broke it off|moved out|deprecated|retired|died|took me off|got rid|get rid|threw out|thrown out|forget about|never mind)\b|\b(?:was|were|been|got|we|i|they|is|already) (?:archived|deleted|removed|closed)\b",
    r"\bcan't (?:touch|use|handle|do|keep|make)\b|\bcouldn't\b|\brefused\b|\b(?:is|was|were|are) (?:too|overkill|way too|silly|fine)\b|\btoo (?:long|short|slow|big|many|few|much|small|early|late|hard|expensive|heavy)\b|\btoo many\b|\bsaid no\b|\bnot worth\b|\bruin(?:s|ed)?\b|\bgiv(?:es|ing) me headaches\b|\bhurts?\b|\bcost(?:ing)? us\b|\bcharging\b|\bfine (?:for|in|by) me\b|\ballowed\b|\bapproved\b|\bsigned off\b|\bin scope\b|\bok with\b",
    r"\b(?:n'|ne )[\w' ]{1,30} ?\bplus\b|\bplus (?:de |besoin|du tout|rien|personne|maintenu|aucun)|\b(?:bosse|utilise|est|fait|marche|faut|a|veux|veut|y a|reste|vais|expirent|suis) plus\b|\bplus d'",
    r"\b(?:arrêté|arrête|lâché|laissé tomber|laisse tomber|on laisse|abandonné|abandonne|supprimé|supprime|viré|vire|dégage|annulé|annule|quitté|quitte|retirée?|renoncé|renonce|terminée?|fini|c'est mort|est mort|a sauté|rendu l'âme|jeté|sorti|sort de|a pris (?!\d)|coupé)\b",
    r"\btrop (?:court|long|cher|lent|gros|grand|petit|lourd|compliqué|vite|de|peu)\b|\bramait\b|\bbloquait\b|\brâlaient\b|\bfaisait\b|\bsonnait\b|\bsert à rien\b|\brègle rien\b|\baucun souci\b|\bd'accord pour\b|\bautorisée?\b|\bautorise\b",
)
CORRECTED = (
    r"\b(?:wasn't|weren't|isn't|aren't|hadn't|didn't|doesn't) (?:a |an |the |at all|why|help|it\b|in the end)|\bit was(?:n't)?\b.{0,40}\bnot\b|\bnothing to do\b|\binnocent\b|\bculprit\b|\bin reality\b|\bturn(?:s|ed) out\b|\bwrong\b|\bmistake\b|\bi misread\b|\bi meant\b|\bcareful\b|\bi checked\b|\bonly (?:delayed|has|hid)\b|\bdoes nothing\b|\bfalse lead\b|\bin fact\b|\bcorrection\b|\bno, ",
    r"\ben fait\b|\ben réalité\b|\bc'était pas\b|\bce n'était pas\b|\bc'est pas\b|\bce n'est pas\b|\bfausse piste\b|\by est pour rien\b|\brien à voir\b|\bje me suis trompée?\b|\berreur de ma part\b|\bnon, ",
)
NEGATED = (
    r"\b(?:not|never|no|nobody|without|cannot|nothing|none)\b|n't\b|\b(?:pas|jamais|aucune?|sans|interdit|personne)\b|\bplus (?:de|besoin)\b",
)
# What happened stays so.
HAPPENED = (
    r"\b(?:was|were|failed|started on|ended|took place|happened|gave a|pulled|broke|expired|skipped|reached|signed|cost us|lost|found|adopted|moved into|renovated|born|released|shipped|crashed|deleted the|came from|fixed|made|helped|adding|removing|wrote)\b",
    r"\b(?:était|étaient|a été|ont été|s'est|est sortie?|est tombée?|est née?|a trouvé|on a adopté|on a perdu|a signé|venait|venaient|avait|a eu|j'ai vu|a écrit|ont fait|a fait)\b",
)
# Of these there is one at a time.
ONE = (
    r"\b(?:is|are|'s) (?:at|on|in|under|called|named|written|hosted|built|made|kept|stored|run|done|planned|due|capped|limited|called|open|located|generated|sent|published|taken|set|scheduled|deployed|trained|powered)\b|\b(?:lives?|listens?|sits?|runs|leaves|starts|begins|happens|goes out|takes place|report to|owns|leads|reviews|costs|answers|expires|work at|works at|named|called|default|minimum|maximum|limit|at most|port|version|target|manager|boss)\b|^(?:i live|i work|i'm a|my name)",
    r"\b(?:est|sont) (?:en|à|au|sur|dans|chez|le|la|prévue?s?|fixée?s?|limitée?s?|hébergée?s?|écrite?s?|générée?s?|faite?s?|de|lundi|mardi|mercredi|jeudi|vendredi)\b|\b(?:s'appelle|habite|j'habite|écoute|tourne|s'occupe|gère|travaille|commence|port|vise|objectif|maximum|minimum|au plus|part|budget|prix|par défaut)\b|^(?:je travaille|je bosse|j'habite|je suis)",
)
# Of these there are always several, however alike the sentences.
SEVERAL = (
    r"\b(?:like|likes|love|loves|enjoy|hate|hope|support|supports|targets?|reads?|writes?|emits?|checks?|allergic|speak|speaks|play|plays|studied|learn|also|has|have|had|published|knows|found|helped|shows?|want to|plays|visited|gave)\b",
    r"\b(?:aime|aimerais|espère|adore|joue|parle|aussi|lit|a vu|allergique|veux|voudrais)\b",
)
# Somebody has it in hand: the thing has one such person, the person many such things.
HOLDS = (
    r"\b(?:owns?|owner|leads?|reviews?|maintains?|manages?|handles?|runs|signs|approves|answers|looks after|takes care of|is in charge of|in charge|responsible for|belongs? to|does|do the)\b",
    r"\b(?:gère|gèrent|dirige|s'occupe|relit|fait|font|signe|valide|tient|anime|suit|c'est [A-Za-zé]+ qui|responsable d)\b",
)
TABLES = {
    "several": SEVERAL,
    "holds": HOLDS,
    "anew": ANEW,
    "gone": GONE,
    "corrected": CORRECTED,
    "negated": NEGATED,
    "happened": HAPPENED,
    "one": ONE,
}
