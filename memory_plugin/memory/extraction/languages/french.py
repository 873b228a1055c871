"""French cues. Apostrophes may be straight or curly; the text is matched after curly ones are made straight."""

# ruff: noqa: E501 -- one pattern is one row of the table, however long

from __future__ import annotations

from memory_plugin.memory.extraction.languages.table import Cue, LanguageCues

_PERSON = (
    r"femme|mari|conjointe?|compagn(?:e|on)|patronn?e?|chef(?:fe)?|manageuse|manager|responsable|coll[eè]gue|amie?|fille|fils|m[eè]re|"
    r"p[eè]re|s[oœ]+ur|fr[eè]re|client(?:e)?|stagiaire|associ[eé]e?|chien|chat"
)
_PLACE = (
    r"serveur|url|h[oô]te|base(?: de donn[eé]es)?|bdd|port|point d'entr[eé]e|bucket|cluster|d[eé]p[oô]t|domaine|tableau de bord|registre|"
    r"file|branche|environnement|r[eé]gion|compte|dossier|r[eé]pertoire|wiki|doc(?:umentation)?|canal|production|prod|pr[eé]prod|"
    r"recette|staging|instance|adresse|chemin|fichier|config(?:uration)?|api|version|service"
)
_VERB = (
    r"utilise[rz]?|ajoute[rz]?|[eé]cri(?:s|re|vez)|cr[eé]e[rz]?|commite?[rz]?|pousse[rz]?|touche[rz]?|change[rz]?|modifie[rz]?|supprime[rz]?|"
    r"lance[rz]?|mets|met(?:s|tre|tez)|fai(?:s|re|tes)|importe[rz]?|installe[rz]?|inclu[st]|inclure|demande[rz]?|explique[rz]?|"
    r"g[eé]n[eè]re[rz]?|renomme[rz]?|laisse[rz]?|d[eé]ploie|d[eé]ployer|fusionne[rz]?|r[eé]ponds|r[eé]pondre|traduis|parle[rz]?|"
    r"mocke[rz]?|code[rz]?|refactore[rz]?|reformate[rz]?|suppose[rz]?|commente[rz]?|d[eé]marre[rz]?|passe[rz]?"
)

STATED = (
    Cue("identity", "named", 1.5, r"\bje m'appelle\b|\bmon (?:pr[eé]nom|nom) est\b|\bappelle[- ]moi (?-i:[A-Z])"),
    Cue("health", "has", 1.5, r"\bje suis (?:allergique|diab[eé]tique|daltonien(?:ne)?|dyslexique|sourde?|malvoyante?|enceinte|v[eé]gane?|v[eé]g[eé]tarien(?:ne)?)\b|\bj'ai (?:un tdah|de l'asthme|du diab[eè]te|des migraines)\b"),
    Cue("identity", "is", 1.4, r"\bje suis (?:une?|le|la|d[eé]veloppeu(?:r|se)|ing[eé]nieure?|bas[eé]e? [aà]|responsable|charg[eé]e?|data|freelance|[eé]tudiante?)\b|\bje (?:travaille|bosse) (?:chez|pour|[aà]|au|dans|en|comme|sur)\b|\bj'habite\b|\bje vis [aàe]\b|\bmon (?:poste|r[oô]le|fuseau|m[eé]tier|email|adresse) (?:est|c'est)\b|\bnous sommes une (?:\w+ ){0,3}([eé]quipe|bo[iî]te|entreprise|soci[eé]t[eé]|agence)\b"),
    Cue("reference", "located", 1.45, rf"^(?:le|la|les|l'|notre|nos) ?(?:[\w'-]+ ){{0,4}}(?:{_PLACE})(?: (?:de|du|des|d')? ?[\w'-]+){{0,3}} (?:est|sont|se trouve(?:nt)?|tourne(?:nt)?|[eé]coute(?:nt)?|vit|pointe)\b [^.!?]*(?:\w\.\w|:\d|\bport \d|/\w|`)"),
    Cue("relationship", "is", 1.4, rf"\b(?:mon|ma|notre) (?:{_PERSON})(?:,| est| s'appelle| c'est| (?-i:[A-Z]))|\best (?:mon|ma|notre|nos|la|le) (?:\w+ )?(?:{_PERSON}|dba|mainteneu(?:r|se)|propri[eé]taire|r[eé]f[eé]rente?|contact|cto|pdg|admin(?:istrateur|istratrice)?)\b|\best (?:responsable d|charg[eé]e? d)|\bc'est (?-i:[A-Z])\w+ qui\b|\bdemande[rz]? [aà] (?-i:[A-Z])\w+|\bs'occupe (?:de|du|des)\b|\bmaintenue?s? par\b|\bg[eé]r[eé]e?s? par\b"),
    Cue("preference", "avoids", 1.6, rf"\bne (?:\w+ )?(?:{_VERB}) (?:surtout )?(?:jamais|plus|pas)\b|\bn'(?:utilise[rz]?|ajoute[rz]?|[eé]cri(?:s|re|vez)|importe[rz]?|installe[rz]?|inclu[st]|explique[rz]?) (?:surtout )?(?:jamais|plus|pas)\b|\bne (?:jamais|plus|pas) (?:\w+(?:er|ir|re|oir))\b|\bjamais (?:de|d'|dans|sans)\b|^(?:et |mais |surtout,? )?(?:pas|plus) d(?:e |')|\barr[eê]te[rz]? d(?:e |')|\b[eé]vite[rz]?\b|\bje (?:d[eé]teste|n'aime (?:pas|plus)|ne veux (?:pas|plus|jamais)|ne supporte pas)\b|^(?:{_VERB}) (?:surtout )?(?:jamais|pas)\b|^surtout (?:pas|ne)\b"),
    Cue("preference", "prefers", 1.6, rf"\b(?:d[eé]sormais|dor[eé]navant|[aà] partir (?:de maintenant|d'aujourd'hui|d'ici)|[aà] l'avenir|par d[eé]faut,? (?:tu|on|utilise)|en r[eè]gle g[eé]n[eé]rale|chaque fois (?:que|qu')|[aà] chaque (?:fois|commit|pr|modification)|dans tous les cas)\b|\b(?:{_VERB}) (?:\w+ )?toujours\b|\btoujours (?:\w+(?:er|ir|re)|en|avec|des?|l[ae]s?|un)\b|\b(?:il faut|on doit|tu dois|vous devez|faut) toujours\b|\bje pr[eé]f[eè]re(?:rais)?\b|\bma pr[eé]f[eé]rence\b|\bj'aime(?:rais)? (?:mieux|bien|que|quand|avoir|les)\b|\bje veux que (?:tu|tous|toutes|chaque|vous)\b|\bplut[oô]t que\b|\bplut[oô]t\b.*\bque\b|\bpens(?:e|ez) (?:toujours )?[aà]\b"),
    Cue("preference", "requires", 1.6, r"\b(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|m[eé]morise[rz]?|n'oublie[rz]? (?:pas|jamais)|garde[rz]? (?:en t[eê]te|[aà] l'esprit)|note[rz]? (?:bien )?que|sache que|[aà] retenir)\b"),
    Cue("habit", "did", 1.2, r"\b(?:d'habitude|en g[eé]n[eé]ral,? je|j'ai l'habitude|je (?:fais|utilise|travaille|commence) (?:souvent|toujours|g[eé]n[eé]ralement)|tous les (?:matins|soirs|lundis|mardis|mercredis|jeudis|vendredis|jours|mois)|toutes les semaines|chaque (?:matin|soir|lundi|mardi|mercredi|jeudi|vendredi|semaine))\b"),
    Cue("decision", "decided", 1.65, r"\b(?:on|nous|j'ai|on a|nous avons)(?: a| avons)? (?:finalement |donc |d[eé]j[aà] )?(?:d[eé]cid[eé]|choisi|opt[eé]|retenu|tranch[eé]|convenu|valid[eé])\b|\b(?:on|nous) (?:part(?:ons)?|va|reste|restons|passe|passons|garde|gardons|bascule|abandonne|adopte|migre) (?:partir |utiliser |garder |rester |passer |migrer |donc |tous )?(?:sur|avec|[aà]|en|le|la|les|l'|pour|vers)\b|\bon (?:va )?(?:utilise[r]?|h[eé]berge[r]?)\b|\bpartons sur\b|\b(?:allons-y|on y va) avec\b|\bon (?:prend|garde|choisit|retient|adopte|utilise|conserve) \w.{1,80}\b(?:plut[oô]t que|parce que|car)\b|\bd[eé]cision ?:|\bla d[eé]cision\b|\ble choix (?:est|s'est|de)\b"),
    Cue("preference", "uses", 1.5, r"^(?:utilise[rz]?|emploie|pr[eé]f[eè]re|mets|[eé]cris|lance|range|nomme|r[eé]ponds|parle)\b.*(?:,? (?:et )?(?:pas|non)\b|\bau lieu d|\bplut[oô]t qu)|^(?:r[eé]ponds|parle|[eé]cris|r[eé]dige)[- ](?:moi )?(?:toujours )?en \w+|\butilise[rz]? .+ (?:pas|au lieu de|plut[oô]t que) "),
    Cue("constraint", "requires", 1.4, r"\b(?:doi(?:t|vent) (?:\w+ )?(?:[eê]tre|rester|fonctionner|supporter|tourner|respecter|passer|tenir|marcher|pouvoir)|ne (?:doit|doivent|peut|peuvent|faut) (?:pas|jamais|plus)|il (?:ne )?faut (?:pas |absolument |imp[eé]rativement )?(?:que|\w+(?:er|ir|re))|obligatoire|interdit|au (?:plus|maximum|minimum|moins)|imp[eé]rati(?:f|vement)|uniquement|seulement|[eé]ch[eé]ance|date limite|budget|rgpd|limit[eé]e?s? [aà])\b"),
    Cue("lesson", "learnt", 1.4, r"\b(?:(?:la )?cause (?:racine|profonde)|en r[eé]alit[eé]|il s'av[eè]re|le (?:vrai |r[eé]el )?(?:probl[eè]me|souci|bug|coupable|pi[eè]ge|hic) (?:est|[eé]tait|vient|venait|c'est)|l'erreur (?:vient|venait|est|[eé]tait)|la solution (?:est|[eé]tait)|attention|m[eé]fie-toi|piège|gare [aà]|faire gaffe|on a appris|le[cç]on|astuce|[aà] savoir)\b"),
    Cue("reference", "is", 1.4, r"^(?:non|mais non|faux|en fait|pas exactement|erreur|pardon)\b[,.:;!]? .*\b(?:est|sont|c'est|s'appelle|utilise|tourne|se trouve|[eé]tait|doit)\b|\bc'est (?:faux|pas [cç]a|incorrect)\b.*\b(?:est|sont|c'est)\b|\btu te trompes\b|\bje voulais dire\b|, (?:et )?(?:pas|non) (?:en |le |la |sur )?\S+$"),
    Cue("procedure", "runs", 1.45, r"\bpour (?:lancer|compiler|construire|d[eé]ployer|tester|publier|installer|d[eé]marrer|formater|migrer|d[eé]boguer|livrer|se connecter|reproduire|r[eé]g[eé]n[eé]rer|builder|relancer|v[eé]rifier|ex[eé]cuter)\b.*(?:`|\b(?:lance[rz]?|utilise[rz]?|fai(?:s|re|tes)|ex[eé]cute[rz]?|il faut|on (?:fait|lance|utilise|passe)|c'est|tape[rz]?|faut)\b)|\b(?:lance[rz]?|utilise[rz]?|ex[eé]cute[rz]?|avec|via) `[^`]+`.* (?:pour|avant|apr[eè]s|quand)\b|\b(?:le d[eé]ploiement|les d[eé]ploiements|on d[eé]ploie|la livraison|les tests|les migrations) (?:\w+ ){0,3}(?:se fait|se font|passent?|tournent?|sont|avec|via|par|depuis)\b"),
    Cue("reference", "located", 1.3, rf"\b(?:le|la|l'|les|notre|nos|mon|ma) ?(?:[\w'-]+ ){{0,4}}(?:{_PLACE})(?: (?:de|du|des|d')? ?[\w'-]+){{0,3}} (?:est|sont|se trouve(?:nt)?|tourne(?:nt)?|[eé]coute(?:nt)?|vit|pointe|c'est)\b|\b(?:est|sont) (?:h[eé]berg[eé]|stock[eé]|situ[eé]|d[eé]ploy[eé]|document[eé]|d[eé]fini|rang[eé]|publi[eé])e?s? (?:[aà]|sur|dans|sous|chez|derri[eè]re|au|en)\b|\bse trouve(?:nt)? (?:[aà]|sur|dans|sous|au|en|derri[eè]re)\b|\b(?:tourne|[eé]coute) (?:sur|dans|en|derri[eè]re)\b"),
    Cue("goal", "plans", 1.3, r"\b(?:reste(?:nt)? (?:[aà]|encore)|il reste|[aà] faire|prochaines? [eé]tapes?|plus tard|demain|la semaine prochaine|le mois prochain|rappelle-moi|pas (?:encore )?(?:fini|fait|termin[eé]|impl[eé]ment[eé])|l'objectif (?:est|c'est)|le but (?:est|c'est)|on (?:pr[eé]voit|compte) |nous pr[eé]voyons|je pr[eé]vois|feuille de route|jalon|en suspens|question ouverte)\b"),
    Cue("project", "uses", 1.1, r"\b(?:on|nous|notre (?:[\w'-]+ ){0,2}[\w'-]+|ce (?:projet|d[eé]p[oô]t|service)|cette (?:appli(?:cation)?|biblioth[eè]que)|le (?:projet|d[eé]p[oô]t|service|backend|frontend|back|front|pipeline)|l'(?:appli(?:cation)?|api)|la ci) (?:utilise|utilisons|tourne|supporte|cible|d[eé]pend|n[eé]cessite|repose|suit|stocke|livre|d[eé]ploie)\b"),
)

NOTED = (
    Cue("lesson", "causes", 1.6, r"\b(?:cause (?:racine|profonde|r[eé]elle)|le (?:vrai |r[eé]el )?(?:probl[eè]me|bug|souci|coupable) (?:est|[eé]tait|vient|venait)|l'erreur (?:vient|venait|est|[eé]tait)|caus[eé]e?s? par|d[uû]e? [aà]|il s'av[eè]re|[eé]choue(?:nt|ait)? (?:car|parce)|provenait|provient|[aà] l'origine)\b"),
    Cue("lesson", "learnt", 1.4, r"\b(?:attention|pi[eè]ge|[aà] noter|notez que|important ?:|limite connue|contournement|cas limite|le[cç]on|[aà] retenir|point cl[eé]|compromis|inconv[eé]nient|condition de course|silencieusement|contrairement [aà])"),
    Cue("lesson", "fixes", 1.3, r"\b(?:corrig[eé]e?s?|le correctif|la (?:correction|solution)|r[eé]solue?s?|r[eé]gression|r[eé]par[eé]e?s?)\b"),
    Cue("decision", "decided", 1.4, r"\b(?:d[eé]cid[eé]|d[eé]cision|choisi|choix|opt[eé]|retenue?|convenu|plut[oô]t que|au lieu d|approche|recommand\w+|volontaire(?:ment)?|d[eé]lib[eé]r[eé]\w*)\b"),
    Cue("constraint", "requires", 1.2, r"\b(?:doi(?:t|vent)|il faut|n[eé]cessite|requiert|obligatoire|interdit|ne (?:peut|peuvent|doit|doivent)|uniquement|seulement (?:si|quand)|jamais|toujours|garanti\w*|invariant|contrainte|convention)\b"),
    Cue("goal", "plans", 1.2, r"\b(?:reste(?:nt)? [aà]|[aà] faire|prochaines? [eé]tapes?|en attente|pas encore|en suspens|hors p[eé]rim[eè]tre|dette technique|question ouverte|report[eé]e?s?|plus tard)\b"),
    Cue("procedure", "runs", 1.1, r"\bpour (?:lancer|compiler|d[eé]ployer|tester|installer|d[eé]marrer|v[eé]rifier|activer|d[eé]sactiver|utiliser)\b|\b(?:lance[rz]|ex[eé]cute[rz]|utilise[rz]|via|avec) `[^`]+`"),
    Cue("reference", "located", 1.0, r"\b(?:est|sont) (?:d[eé]fini|stock[eé]|situ[eé]|[eé]crit|lu|document[eé]|impl[eé]ment[eé]|h[eé]berg[eé]|configur[eé])e?s? (?:dans|[aà]|sur|sous|par|via)\b|\bse trouve(?:nt)? (?:dans|[aà]|sous|sur)\b"),
    Cue("event", "did", 0.9, r"^(?:j'ai |nous avons )?(?:ajout[eé]|corrig[eé]|cr[eé][eé]|mis [aà] jour|impl[eé]ment[eé]|supprim[eé]|d[eé]plac[eé]|renomm[eé]|remplac[eé]|simplifi[eé]|fusionn[eé]|migr[eé]|document[eé]|d[eé]ploy[eé])|\b(?:ont|a) [eé]t[eé] (?:ajout|corrig|cr[eé]|impl|supprim|d[eé]plac|renomm|remplac)"),
    Cue("project", "is", 0.7, r"\b(?:parce qu|car|afin|permet(?:tent)?|emp[eê]che(?:nt)?|renvoie(?:nt)?|g[eè]re(?:nt)?|cr[eé]e(?:nt)?|utilise(?:nt)?|appelle(?:nt)?|v[eé]rifie(?:nt)?|contient|d[eé]pend(?:ent)?|lorsque|quand|si)\b"),
)

OPENERS = (
    r"(?:alors|donc|bon|ok|okay|bien|tr[eè]s bien|parfait|super|g[eé]nial|oui|ouais|non|mais|et|puis|ensuite|enfin|d'accord|"
    r"voil[aà]|c'est (?:faux|incorrect|pas [cç]a|inexact)|tu te trompes|ah|oh|euh|bonjour|salut|merci|s'il te pla[iî]t|stp|svp|au fait|en fait|d'ailleurs|en r[eé]sum[eé]|bref|[aà] noter|"
    r"je pense que|je crois que|excellente question|bonne (?:id[eé]e|question|remarque)|tu as raison|vous avez raison|"
    r"effectivement|bien s[uû]r|compris|c'est not[eé]|not[eé]|par ailleurs|de plus|cependant|toutefois|malheureusement|pour info|"
    r"exact(?:ement)?|aussi|du coup|franchement|attends|mais non)"
)

NARRATION = (
    r"(?:maintenant,? |ensuite,? |puis |d'abord,? |bon,? )?(?:je vais|laisse(?:z)?-moi|regardons|voyons|v[eé]rifions|commen[cç]ons|lan[cç]ons|lisons|cherchons|examinons|"
    r"passons [aà]|continuons|je (?:lance|v[eé]rifie|regarde|lis|cherche|commence|continue|passe|corrige|mets|proc[eè]de|dois|vois|comprends)\b|j'(?:ajoute|examine|ex[eé]cute|ai (?:bien )?(?:lu|vu|compris|v[eé]rifi[eé]|regard[eé]))|"
    r"maintenant (?:je|que|on)|voici|veux-tu|voulez-vous|souhaite[sz]|dois-je|n'h[eé]site|un instant|si tu veux|si vous voulez)",
    r"(?:tous les|les) tests (?:passent|sont (?:verts|au vert))\b.{0,30}$",
    r"tout (?:est|semble|fonctionne|passe)\b.{0,30}$",
)

DANGLING = (
    r"(?:ils|elles?|ceci|cela|[cç]a|celui(?:-ci|-l[aà])?|celle(?:-ci|-l[aà])?|ceux(?:-ci|-l[aà])?|les deux|ce dernier|cette derni[eè]re)\b",
    r"il (?!faut|reste|y a|est (?:interdit|obligatoire|pr[eé]f[eé]rable|possible|impossible|recommand)|s'av[eè]re|ne faut|suffit|manque)",
    r"c'(?!est (?:l[ae]s? |l'|une? |(?-i:[A-Z])).*\bqui\b)",
)

AGREEMENT = (
    r"(?:oui|ouais|ok|okay|d'accord|vas-y|allez-y|allez|parfait|tr[eè]s bien|[cç]a marche|bien s[uû]r|exact(?:ement)?|super|go|"
    r"c'est (?:bon|parfait|[cç]a)|fais-le|faites-le|entendu|volontiers|banco)"
    r"(?:[,.! ]+(?:oui|vas-y|allez-y|merci|fais-le|parfait|s'il te pla[iî]t|stp|svp|d'accord|go|bien s[uû]r|c'est bon))*[.! ]*",
)

CHOICE_QUESTION = (
    r"(?:alors,? |donc,? )?(?:est-ce qu(?:e |')(?:on|je|nous) (?:doit |devrait |peut )?|faut-il |doit-on |dois-je |devrait-on |veux-tu (?:que (?:j'|je |nous |l'on |on ))?|"
    r"voulez-vous (?:que (?:j'|je |nous |l'on |on ))?|peut-on |tu pr[eé]f[eè]res |on )"
    r"(?=(?:utilis|garde|part |passe|reste|adopt|remplac|support|stock|abandonn|renomm|migr|bascul|d[eé]plac|supprim))",
)

ORDINALS = {
    "premier": 1, "première": 1, "premiere": 1, "deuxième": 2, "deuxieme": 2, "second": 2, "seconde": 2, "troisième": 3,
    "troisieme": 3, "quatrième": 4, "quatrieme": 4, "une": 1, "deux": 2, "trois": 3,
}  # fmt: skip

PRONOUNS = (
    "il elle ils elles lui leur eux ça cela ceci celui celle ceux celles je tu nous vous on me te moi toi mon ma mes ton ta tes "
    "chose choses truc trucs ici là y en"
)

GENERIC_HEADINGS = (
    r"(?:le |la |les |un |mes |en )*(?:r[eé]sum[eé]|synth[eè]se|vue d'ensemble|modifications?|changements?|fichiers(?: modifi[eé]s)?|r[eé]sultats?|"
    r"analyse|d[eé]tails?|notes?|contexte|explications?|conclusion|r[eé]ponse|[eé]tat actuel|exemples?|bilan|points? cl[eé]s?)",
)

SOFT_OPENERS = ("alors|donc|et|mais|oui|bon|puis|je pense que|du coup|ah|ok",)

# Words that English text hardly holds.
MARKERS = frozenset(
    "le la les une des du aux est sont ne pas que qui je il elle nous vous et ou avec dans pour cette ces notre jamais toujours oui "
    "merci parfait banco volontiers vas allez entendu alors donc sinon reste faut mon ton ils elles quand mais demain".split()
)

FOUND = (
    Cue("goal", "plans", 1.7, r"^(?:[^:.]{0,40}: )?(?:(?:il )?reste (?:encore )?[aà]|restent [aà]|[aà] faire|prochaines? [eé]tapes?|encore ouvert|points? ouverts?|en suspens|en attente|la suite)\b[^.]{0,30} ?:|^il reste [aà] \w|\b(?:n'est|ne sont|n'a|n'ont) pas encore\b|\bmanque(?:nt)? encore\b"),
    Cue("lesson", "causes", 1.6, r"\bcause (?:racine|profonde|r[eé]elle)\b|\bla cause (?:d[eu]s? |de la |de l')?[^.:]{0,60}(?:est|[eé]tait|[eé]taient|vient|venait) |\ble (?:vrai |r[eé]el )?(?:probl[eè]me|bug|souci|coupable) (?:est|[eé]tait|vient|venait)\b|\bl'erreur (?:vient|venait)\b|\bil s'av[eè]re\b|\b(?:[eé]tait|est|[eé]taient|sont) (?:caus[eé]|d[uû])e?s? (?:par|[aà]|au|aux)\b|\b[eé]choue(?:nt|ait)? (?:car|parce)\b|\bprov(?:enait|ient) d"),
    Cue("lesson", "fixes", 1.6, r"\b(?:le correctif|la correction|la solution|le contournement) (?:est|[eé]tait|consiste)\b|\b(?:corrig[eé]|r[eé]solu)e?s? (?:en|par|avec|gr[aâ]ce)\b|\bcorrectif :"),
    Cue("lesson", "learnt", 1.5, r"^(?:attention|pi[eè]ge|[aà] noter|important)\b|\bpi[eè]ge :|\bsilencieusement\b"),
    Cue("procedure", "runs", 1.5, r"^pour (?:lancer|compiler|construire|d[eé]ployer|tester|publier|installer|d[eé]marrer|migrer|livrer|restaurer|reproduire|r[eé]g[eé]n[eé]rer|relancer|v[eé]rifier)\b.*`"),
)

FOLLOWS = (r"(?:car|parce|donc|ce qui|cela|[cç]a|elles?|ils?|le correctif|la (?:correction|solution)|corrig[eé]|sinon|du coup|d[eé]sormais)\b",)

REQUESTS = (
    r"(?:(?:s'il te pla[iî]t|stp|peux-tu|pouvez-vous|tu peux|pourrais-tu|on va|et|maintenant|puis|salut|bonjour),? )*"
    r"(?:ajoute[rz]?|corrige[rz]?|fais|faire|lance[rz]?|relance[rz]?|d[eé]marre[rz]?|aide[rz]?|regarde[rz]?|v[eé]rifie[rz]?|[eé]cri[sr]e?|cr[eé]e[rz]?|impl[eé]mente[rz]?|planifie[rz]?|"
    r"montre[rz]?|trouve[rz]?|renomme[rz]?|change[rz]?|supprime[rz]?|commite[rz]?|pousse[rz]?|relis|d[eé]place[rz]?|explique[rz]?|donne[rz]?|construis|d[eé]ploie|"
    r"teste[rz]?|cherche[rz]?|ouvre|ferme|fusionne[rz]?|g[eé]n[eè]re[rz]?|r[eé]dige[rz]?|traduis|r[eé]sume[rz]?|liste[rz]?|analyse[rz]?|lis|termine[rz]?|continue[rz]?|nettoie|am[eé]liore[rz]?)\b",
)

ERRANDS = (
    r"(?:(?:s'il te pla[iî]t|stp|peux-tu|pouvez-vous|tu peux|pourrais-tu|dis-moi|et|maintenant|salut|bonjour),? )*"
    r"(?:[eé]cris|compose|raconte|nomme|cite|liste|convertis|traduis|calcule|d[eé]finis|explique|d[eé]cris|recommande|propose|donne|r[eé]sume|"
    r"[eé]crire|composer|raconter|nommer|citer|convertir|traduire|calculer|expliquer|recommander|proposer|donner|"
    r"quel(?:le)?s?|qui|combien|comment|pourquoi|o[uù]|quand|qu'est-ce|c'est quoi)\b",
)

OURS = (
    r"\b(?:notre|nos|on|nous|ce|cette|ces|ici|d[eé]p[oô]t|projet|code|fichiers?|fonctions?|modules?|tests?|branche|commits?|d[eé]ploiement|"
    r"serveur|service|api|bugs?|erreurs?|config\w*|base|sch[eé]ma|doc\w*|scripts?|migrations?|classe|composants?|appli\w*|page|"
    r"boutons?|journa(?:l|ux)|requ[eê]tes?|clients?|utilisateurs?|plan)\b",
)

FRENCH = LanguageCues(
    stated=STATED, noted=NOTED, found=FOUND, follows=FOLLOWS, errands=ERRANDS, requests=REQUESTS, ours=OURS, openers=(OPENERS,), soft_openers=SOFT_OPENERS,
    narration=NARRATION, dangling=DANGLING, agreement=AGREEMENT, choice_question=CHOICE_QUESTION, chosen="Décidé", ordinals=ORDINALS,
    pronouns=PRONOUNS, generic_headings=GENERIC_HEADINGS, markers=MARKERS, letters=frozenset("àâçèêëéîïôùûœ"),
)  # fmt: skip
