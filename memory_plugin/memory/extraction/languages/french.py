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
    Cue("goal", "plans", 1.68, r"\bfinalement,? .{0,60}\b(?:n'est|ne sont|n'[eé]tait|est|sont) (?:toujours )?pas (?:\w+ )?(?:fini|termin|fait|r[eé]gl|r[eé]solu|corrig|boucl|pr[eê]t|au point)\w*|\b(?:est|sont) (?:de nouveau|[aà] nouveau|encore) (?:cass|en panne|rouge|ouvert|bloqu|lent|plant|[aà] refaire|en [eé]chec)\w*|\b(?:re)?marche (?:de nouveau )?(?:plus|toujours pas)\b|\brouv(?:r|er)\w+|^(?:en fait|finalement),? .{2,80}(?:n'est|ne sont) pas (?:\w+ )?(?:fini|termin|fait|r[eé]gl|r[eé]solu|corrig|pr[eê]t)\w*|\b[aà] refaire\b|\b(?:le bug|le probl[eè]me|l'erreur|la panne|la fuite)(?: (?:de |du |des |d')\S+){0,3} (?:est|sont) (?:revenu|de retour)\w*|\b(?:n'est|ne sont) (?:en fait|finalement|toujours) pas (?:fini|termin|fait|r[eé]gl|r[eé]solu|corrig)\w*|\bon (?:va|doit) (?:quand m[eê]me|finalement) (?:le |la |les )?(?:faire|garder|refaire|reprendre)\b|\b(?:est|sont) [aà] (?:refaire|reprendre)\b", " est| sont|'est|encore|marche|nouveau|on doit|on va|pas |refaire|remarche|reprendre|rouver|rouvr"),
    Cue("decision", "decided", 1.67, r"\b(?:on |nous |j'|je )(?:laisse(?:ns|ons)? tomber|abandonn\w+|annul\w+|renonc\w+)(?= |[.,;!]|$)|\blaisse(?:z|r)? tomber (?:le|la|les|l'|cette|ce|notre)|^oublie(?:z)? (?:le|la|les|l'|cette|ce|notre) ?\w+|\b(?:on|nous) ne (?:le |la |les )?(?:fait|\w+(?:ra|rons)) (?:pas|plus|finalement pas|jamais)\b|\b(?:a|ont) [eé]t[eé] (?:annul|abandonn)[eé]e?s?\b|\b(?:est|sont) (?:annul|abandonn|enterr)[eé]e?s?\b|\bplus besoin (?:de|du|des|d')|\b(?:on|nous) n'(?:en veut|en a|avons) plus (?:besoin|envie)\b|\bon (?:se passe|se passera) (?:de|du|des)\b|\bon arr[eê]te (?:le|la|les|l'|de)\b", "tomber|abandon|annul|renonc|oublie| ne |plus|enterr|se passe|arrête|arrete"),
    Cue("decision", "decided", 1.66, r"\b(?:on|nous) (?:passe|passons|met|mettons|prend|prenons|reste|restons|fait|faisons|garde|gardons|d[eé]place|change|baisse|monte|repousse|avance|revient|va) (?:tout )?(?:finalement|plut[oô]t|donc|le |la |les |tout )?.{0,60}\b(?:au|aux|[aà]|en|sur|dans|chez|vers|pour|avec) [\w`'/.]+|\bfinalement,? (?:on|c'est|ce sera|le|la|les|nous|je|l')\b|\bchangement de plan\b.*\w+ \w+|\bj'ai chang[eé] d'avis\b|\btout compte fait\b|\b(?:mets|met|mettons|passe|passons|d[eé]place|appelle|appelons)(?:-(?:le|la|les|[cç]a)| [cç]a)\b.{1,40}|\bon (?:l'|les |le |la )(?:appelle|met|passe|d[eé]place|renomme|h[eé]berge)\b", " avance| baisse| change| faisons| garde| gardons| monte| prend| prenons| repousse| reste| restons| revient| va|'ai|appelle|appelons|de plan|deplace|déplace|fait|finalement|heberge|héberge|met|passe|passons|renomme"),
    Cue("goal", "plans", 1.62, r"\bil (?:nous |me |vous )?(?:reste(?:ra)?|faudra|faut)(?: \w+)? encore\b|\bil manque (?:encore |toujours )?\w+|\bil (?:me |nous )?rest(?:e|era)(?: juste| donc)? [aà] \w+|^reste(?:nt)? (?:encore )?[aà]\b|^[aà] faire\b|^todo\b|\btodo ?:|\b(?:il )?faudra (?:aussi |bien |penser|encore|que |qu'|\w+er\b|\w+ir\b|\w+re\b)|\brappelle[- ](?:moi|nous) (?:de|d'|que|qu'|demain|lundi|mardi|mercredi|jeudi|vendredi|la semaine)|\b(?:pens(?:e|ez|er|ons)|n'oublie(?:z|r)? pas) (?:[aà]|de|d').{2,100}\b(?:plus tard|la prochaine fois|demain|apr[eè]s[- ]demain|la semaine prochaine|le mois prochain|ensuite|apr[eè]s la|avant (?:lundi|mardi|mercredi|jeudi|vendredi|la|le))\b|\bla prochaine fois,? (?:pense|on|il|je|tu)\b|\b(?:doit|dois|devra|devrai|devons|devras|doivent) encore\b|\b(?:plus tard|ensuite|la semaine prochaine|demain|le mois prochain),? (?:on|il faut|il faudra|je|nous) (?:dev\w+|doit|dois|faudra|faut|va|vais|allons)\b|\bfais[- ](?:moi|nous) penser [aà]\b|\bne (?:me|nous) laisse pas oublier\b|\b(?:on|je|nous)(?: n'| ne )(?:ai|a|avons|est|suis)? ?.{0,20}\bpas encore \w+|\b(?:n'est|ne sont|n'a|n'ont) (?:toujours )?pas encore \w+|\bpour plus tard\b|\bdans (?:le|notre|mon) backlog\b|\bt[aâ]ches? ouvertes?\b", "dans|demain|encore|ensuite|faire|fais|faudra|fois|laisse|manque|mois|oublie|ouverte|pense|pensons|rappelle|reste|semaine|tard|todo"),
    Cue("goal", "plans", 1.69, r"\b(?:il (?:nous |me )?)?faudra(?:it)? (?:aussi |bien |encore |bient[oô]t )*(?:qu(?:'|e )|penser\b|(?!voir\b)\w+(?:er|ir|re|oir)\b)|^(?:[aà] pr[eé]voir|[aà] pr[eé]voir plus tard|[aà] ne pas oublier)\b|\bquelqu'un (?:devra(?:it)?|doit) |\bil (?:nous |me )?manque (?:encore |toujours )?(?:une?|le|la|les|des)\b", "'un|faudra|manque|ne pas oublier|prevoir|prévoir"),
    Cue("relationship", "is", 1.56, r"\b(?-i:[A-ZÀ-Ý][a-zà-ÿ]+) (?:r[eé]cup[eè]re|prend|h[eé]rite de) .{2,50}\b(?:de|[aà] la place de) (?-i:[A-Z])\w+|\bc'est (?-i:[A-ZÀ-Ý][a-zà-ÿ]+) qui (?:relit|valide|g[eè]re|s'occupe|livre|d[eé]ploie|maintient|approuve|signe|r[eé]pond|fait|s'en occupe)\b.{0,60}\b(?:maintenant|d[eé]sormais|dor[eé]navant)\b|\b(?:mets|mettez|note) (?-i:[A-Z])\w+ comme (?:relect\w+|responsable|contact|propri[eé]taire)\b", "'est|comme |herite|hérite|prend|recupere|recupère|récupere|récupère"),
    Cue("decision", "decided", 1.665, r"^(?:c'est )?(?:d[eé]cid[eé]|convenu|entendu)\s*[:–—]\s*\w+|\badieu (?-i:[A-Z])\w+|\bon (?:monte|descend|avance|recule|se met) (?:[aà]|au|en|d'un jour)\b|\b(?:passe|passent|d[eé]m[eé]nagent?|se fait|se font|se tient|aura lieu) (?:finalement|d[eé]sormais|plut[oô]t|donc) (?:au|aux|[aà]|en|sur|le|la|dans)\b|\bon avance d'un|\bon recule d'un|\bdonc (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b|\bc'est (?:fini|termin[eé])\b.{0,20},? (?:on est|on passe|place)\b", "'est|'un|adieu|avance|convenu|decide|decidé|descend|desormais|donc|décide|décidé|désormais|entendu|finalement|monte|plutot|plutôt|recule|se met"),
    Cue("preference", "uses", 1.67, r"\bj'ai chang[eé] d(?:'|e )[\w']+\b.{0,80}\bje (?:suis|passe|travaille) (?:sur|avec|sous|[aà]) (?-i:[A-Z])|\bje suis pass[eé]e? (?:[aà]|sur|sous) (?-i:[A-Z])\w+", "'ai|suis"),
    Cue("relationship", "is", 1.55, r"\b(?-i:[A-ZÀ-Ý][a-zà-ÿ]+) (?:a repris|reprend|reprendra|remplace|a remplac[eé]|succ[eè]de [aà]|prend la (?:suite|rel[eè]ve)|a pris la (?:suite|rel[eè]ve)|a quitt[eé]|a rejoint|g[eè]re (?:maintenant|d[eé]sormais))\b|\bc'est (?:maintenant|d[eé]sormais|finalement) (?-i:[A-ZÀ-Ý][a-zà-ÿ]+) qui\b", "'est|gere|gère|prend|pris|quitte|quitté|rejoint|remplace|remplacé|reprend|repris|succede|succède"),
    Cue("project", "is", 1.49, r"\b(?:est|sont|a|ont|a [eé]t[eé]|ont [eé]t[eé]) (?:\w+ )?(?:pass[eé]|d[eé]m[eé]nag[eé]|migr[eé]|bascul[eé]|renomm[eé]|remplac[eé]|d[eé]plac[eé]|transf[eé]r[eé]|chang[eé]|repouss[eé]|avanc[eé]|d[eé]cal[eé]|report[eé]|mont[eé]|baiss[eé]|augment[eé]|r[eé]duit|repris)e?s? (?:[\w'-]+ ){0,5}?(?:[aà]|au|aux|en|sur|vers|par|de|du|chez|dans|d')\b|\b(?:est|sont|tourne|utilise|s'appelle|passe|se trouve|[eé]coute|g[eè]re|vit|co[uû]te|h[eé]berge|a|ont) (?:.{0,60} )?(?:maintenant|dor[eé]navant)\b|\bmaintenant,? (?:c'est|le|la|les|l'|on utilise|on a|tout)\b.{4}|\b(?:on|nous|l'[eé]quipe|le projet|le \w+|la \w+) n(?:e |')(?:\w+ )?(?:utilis|tourn|fai|pass|h[eé]berg|support|d[eé]pend|appel|est|travaill|d[eé]ploi|a)\w* plus\b|\b(?:on|nous) (?:a|avons) (?:quitt|remplac|renomm|bascul|chang|arr[eê]t|d[eé]branch|coup)[eé] |^(?:le|la|les|l'|notre|nos) ?.{2,60} (?:passe|passera|passent|devient|deviennent|deviendra|monte|descend)(?: maintenant| donc)? (?:[aà]|au|aux|en|sur|de|la|le|l'|un|une|notre)\b|\b(?:on|nous) (?:est|sommes) (?:revenu|repass[eé]|rest[eé])e?s? (?:[aà]|au|aux|en|sur|chez)\b|\bdepuis (?:hier|lundi|mardi|mercredi|jeudi|vendredi|la semaine|le)\b.{0,40}\b(?:est|tourne|utilise|passe)\b", " est| sommes|a |depuis|descend|deviendra|deviennent|devient|dorenavant|dorénavant|est |maintenant|monte|nous a|on a|ont |passe|plus|sont "),
    Cue("event", "did", 1.48, r"\b(?:est|sont) (?:enfin |bien |maintenant |d[eé]j[aà] |tous |toutes |enti[eè]rement )*(?:fait|fini|termin[eé]|pass[eé]|livr[eé]|en place|en ligne(?=\W*$|[,;]| depuis)|en prod(?:uction)?(?=\W*$|[,;]| depuis)|d[eé]ploy[eé]|merg[eé]|fusionn[eé]|publi[eé]|corrig[eé]|r[eé]solu|boucl[eé]|r[eé]gl[eé]|r[eé]par[eé]|op[eé]rationnel(?:le)?|valid[eé]|sorti|pr[eê]te?)e?s?(?![\w-])(?! (?:[aà] |au |dans |sur |par d[eé]faut))|\b(?:j'ai|on a|nous avons|ils ont|(?-i:[A-ZÀ-Ý][a-zà-ÿ]+) a) (?:enfin |bien |d[eé]j[aà] |tout |tous )?(?:fini|termin[eé]|livr[eé]|d[eé]ploy[eé]|merg[eé]|fusionn[eé]|publi[eé]|sorti|mis en (?:prod|ligne|place|service)|corrig[eé]|r[eé]solu|boucl[eé]|r[eé]gl[eé]|migr[eé]|achev[eé]|envoy[eé]|renouvel[eé]|lanc[eé]|bascul[eé]|sign[eé]|install[eé]|supprim[eé]|archiv[eé]|ajout[eé]|ferm[eé]|pay[eé])\b|\b(?:a|ont) (?:enfin |bien )?[eé]t[eé] (?:fait|fini|termin[eé]|livr[eé]|d[eé]ploy[eé]|merg[eé]|fusionn[eé]|publi[eé]|corrig[eé]|r[eé]solu|r[eé]gl[eé]|mis|valid[eé]|sign[eé]|envoy[eé])e?s?\b|\b(?:re)?marche (?:[aà] nouveau|de nouveau|maintenant)\b|\bre(?:marche|fonctionne|part)(?:nt|ent)?\b(?! (?:pas|plus))|^[^:]{4,60} : (?:fait|fini|termin[eé])e?s?\W*$", " fait|acheve|achevé|ajoute|ajouté|archive|archivé|bascule|basculé|boucle|bouclé|corrige|corrigé|deploye|deployé|déploye|déployé|envoye|envoyé|est |ete|eté|ferme|fermé|fini|fusionne|fusionné|installe|installé|lance|lancé|livre|livré|marche|merge|mergé|migre|migré|mis en|paye|payé|publie|publié|refonctionne|regle|reglé|remarche|renouvele|renouvelé|repart|resolu|régle|réglé|résolu|signe|signé|sont |sorti|supprime|supprimé|termine|terminé|éte|été"),
    Cue("identity", "named", 1.5, r"\bje m'appelle\b|\bmon (?:pr[eé]nom|nom) est\b|\bappelle[- ]moi (?-i:[A-Z])", " est|je m|moi"),
    Cue("health", "has", 1.5, r"\bje suis (?:allergique|diab[eé]tique|daltonien(?:ne)?|dyslexique|sourde?|malvoyante?|enceinte|v[eé]gane?|v[eé]g[eé]tarien(?:ne)?)\b|\bj'ai (?:un tdah|de l'asthme|du diab[eè]te|des migraines)\b", "'ai|suis"),
    Cue("identity", "is", 1.4, r"\bje suis (?:une?|le|la|d[eé]veloppeu(?:r|se)|ing[eé]nieure?|bas[eé]e? [aà]|responsable|charg[eé]e?|data|freelance|[eé]tudiante?)\b|\bje (?:travaille|bosse) (?:chez|pour|[aà]|au|dans|en|comme|sur)\b|\bj'habite\b|\bje vis [aàe]\b|\bmon (?:poste|r[oô]le|fuseau|m[eé]tier|email|adresse) (?:est|c'est)\b|\bnous sommes une (?:\w+ ){0,3}([eé]quipe|bo[iî]te|entreprise|soci[eé]t[eé]|agence)\b", " c'est| est|bosse|habite|je vis|suis|travaille|une "),
    Cue("reference", "located", 1.45, rf"^(?:le|la|les|l'|notre|nos) ?(?:[\w'-]+ ){{0,4}}(?:{_PLACE})(?: (?:de|du|des|d')? ?[\w'-]+){{0,3}} (?:est|sont|se trouve(?:nt)?|tourne(?:nt)?|[eé]coute(?:nt)?|vit|pointe)\b [^.!?]*(?:\w\.\w|:\d|\bport \d|/\w|`)", " ecoute| est| pointe| se trouve| sont| tourne| vit| écoute"),
    Cue("relationship", "is", 1.4, rf"\b(?:mon|ma|notre) (?:{_PERSON})(?:,| est| s'appelle| c'est| (?-i:[A-Z]))|\best (?:mon|ma|notre|nos|la|le) (?:\w+ )?(?:{_PERSON}|dba|mainteneu(?:r|se)|propri[eé]taire|r[eé]f[eé]rente?|contact|cto|pdg|admin(?:istrateur|istratrice)?)\b|\best (?:responsable d|charg[eé]e? d)|\bc'est (?-i:[A-Z])\w+ qui\b|\bdemande[rz]? [aà] (?-i:[A-Z])\w+|\bs'occupe (?:de|du|des)\b|\bmaintenue?s? par\b|\bg[eé]r[eé]e?s? par\b", " la | le | nos |'est|charge|chargé|demande|gere|geré|gére|géré|ma |maintenu|mon |notre |occupe|responsable"),
    Cue("preference", "avoids", 1.6, rf"\bne (?:\w+ )?(?:{_VERB}) (?:surtout )?(?:jamais|plus|pas)\b|\bn'(?:utilise[rz]?|ajoute[rz]?|[eé]cri(?:s|re|vez)|importe[rz]?|installe[rz]?|inclu[st]|explique[rz]?) (?:surtout )?(?:jamais|plus|pas)\b|\bne (?:jamais|plus|pas) (?:\w+(?:er|ir|re|oir))\b|\bjamais (?:de|d'|dans|sans)\b|^(?:et |mais |surtout,? )?(?:pas|plus) d(?:e |')|\barr[eê]te[rz]? d(?:e |')|\b[eé]vite[rz]?\b|\bje (?:d[eé]teste|n'aime (?:pas|plus)|ne veux (?:pas|plus|jamais)|ne supporte pas)\b|^(?:{_VERB}) (?:surtout )?(?:jamais|pas)\b|^surtout (?:pas|ne)\b", " d'| de |aime|deteste|déteste|evite|jamais|pas|plus|supporte|surtout|veux|évite"),
    Cue("preference", "prefers", 1.6, rf"\b(?:d[eé]sormais|dor[eé]navant|[aà] partir (?:de maintenant|d'aujourd'hui|d'ici)|[aà] l'avenir|par d[eé]faut,? (?:tu|on|utilise)|en r[eè]gle g[eé]n[eé]rale|chaque fois (?:que|qu')|[aà] chaque (?:fois|commit|pr|modification)|dans tous les cas)\b|\b(?:{_VERB}) (?:\w+ )?toujours\b|\btoujours (?:\w+(?:er|ir|re)|en|avec|des?|l[ae]s?|un)\b|\b(?:il faut|on doit|tu dois|vous devez|faut) toujours\b|\bje pr[eé]f[eè]re(?:rais)?\b|\bma pr[eé]f[eé]rence\b|\bj'aime(?:rais)? (?:mieux|bien|que|quand|avoir|les)\b|\bje veux que (?:tu|tous|toutes|chaque|vous)\b|\bplut[oô]t que\b|\bplut[oô]t\b.*\bque\b|\bpens(?:e|ez) (?:toujours )?[aà]\b", " que|aime|avenir|chaque|dans|defaut|desormais|dorenavant|dorénavant|défaut|désormais|fois|partir|pense|plutot|plutôt|prefere|prefère|preférence|préfere|préfère|préférence|regle|règle|toujours|veux"),
    Cue("preference", "requires", 1.6, r"\b(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|m[eé]morise[rz]?|n'oublie[rz]? (?:pas|jamais)|garde[rz]? (?:en t[eê]te|[aà] l'esprit)|note[rz]? (?:bien )?que|sache que|[aà] retenir)\b", "garde|memorise|mémorise|note|oublie|retenez|retenir|retiens|sache|toi|vous"),
    Cue("habit", "did", 1.2, r"\b(?:d'habitude|en g[eé]n[eé]ral,? je|j'ai l'habitude|je (?:fais|utilise|travaille|commence) (?:souvent|toujours|g[eé]n[eé]ralement)|tous les (?:matins|soirs|lundis|mardis|mercredis|jeudis|vendredis|jours|mois)|toutes les semaines|chaque (?:matin|soir|lundi|mardi|mercredi|jeudi|vendredi|semaine))\b", " je| les|'ai|chaque|commence|fais|habitude|tous|travaille|utilise"),
    Cue("decision", "decided", 1.65, r"\b(?:on|nous|j'ai|on a|nous avons)(?: a| avons)? (?:finalement |donc |d[eé]j[aà] )?(?:d[eé]cid[eé]|choisi|opt[eé]|retenu|tranch[eé]|convenu|valid[eé])\b|\b(?:on|nous) (?:part(?:ons)?|va|reste|restons|passe|passons|garde|gardons|bascule|abandonne|adopte|migre) (?:partir |utiliser |garder |rester |passer |migrer |donc |tous )?(?:sur|avec|[aà]|en|le|la|les|l'|pour|vers)\b|\bon (?:va )?(?:utilise[r]?|h[eé]berge[r]?)\b|\bpartons sur\b|\b(?:allons-y|on y va) avec\b|\bon (?:prend|garde|choisit|retient|adopte|utilise|conserve) \w.{1,80}\b(?:plut[oô]t que|parce que|car)\b|\bd[eé]cision ?:|\bla d[eé]cision\b|\ble choix (?:est|s'est|de)\b", " abandonne| adopte| avec| bascule| garde| gardons| migre| part| passe| passons| que| reste| restons| va|car|choisi|choix|convenu|decide|decidé|decision|décide|décidé|décision|heberge|héberge|opte|opté|parce|partons|retenu|tranche|tranché|utilise|valide|validé"),
    Cue("preference", "uses", 1.5, r"^(?:utilise[rz]?|emploie|pr[eé]f[eè]re|mets|[eé]cris|lance|range|nomme|r[eé]ponds|parle)\b.*(?:,? (?:et )?(?:pas|non)\b|\bau lieu d|\bplut[oô]t qu)|^(?:r[eé]ponds|parle|[eé]cris|r[eé]dige)[- ](?:moi )?(?:toujours )?en \w+|\butilise[rz]? .+ (?:pas|au lieu de|plut[oô]t que) ", "ecris|lieu|non|parle|pas|plutot|plutôt|redige|reponds|rédige|réponds|utilise|écris"),
    Cue("constraint", "requires", 1.4, r"\b(?:doi(?:t|vent) (?:\w+ )?(?:[eê]tre|rester|fonctionner|supporter|tourner|respecter|passer|tenir|marcher|pouvoir)|ne (?:doit|doivent|peut|peuvent|faut) (?:pas|jamais|plus)|il (?:ne )?faut (?:pas |absolument |imp[eé]rativement )?(?:que|\w+(?:er|ir|re))|obligatoire|interdit|au (?:plus|maximum|minimum|moins)|imp[eé]rati(?:f|vement)|uniquement|seulement|[eé]ch[eé]ance|date limite|budget|rgpd|limit[eé]e?s? [aà])\b", "budget|doit|doivent|echeance|echéance|faut|imperatif|imperativement|impératif|impérativement|interdit|limite|limité|maximum|minimum|moins|obligatoire|peut|peuvent|plus|rgpd|seulement|uniquement|écheance|échéance"),
    Cue("lesson", "learnt", 1.495, r"\b(?:(?:la )?cause (?:racine|profonde)|la cause (?:est|[eé]tait)|il s'av[eè]re|le (?:vrai |r[eé]el )?(?:probl[eè]me|souci|bug|coupable|pi[eè]ge|hic) (?:est|[eé]tait|vient|venait|c'est)(?! revenu)|l'erreur (?:vient|venait|est|[eé]tait)|la solution (?:est|[eé]tait))\b", " c'est| est| etait| solution| venait| vient| était|erreur|il s|la cause|profonde|racine"),
    Cue("lesson", "learnt", 1.4, r"\b(?:en r[eé]alit[eé]|attention|m[eé]fie-toi|piège|gare [aà]|faire gaffe|on a appris|le[cç]on|astuce|[aà] savoir)\b", "appris|astuce|attention|gaffe|gare|lecon|leçon|piège|realite|realité|réalite|réalité|savoir|toi"),
    Cue("reference", "is", 1.4, r"^(?:non|mais non|faux|en fait|pas exactement|erreur|pardon)\b[,.:;!]? .*\b(?:est|sont|c'est|s'appelle|utilise|tourne|se trouve|[eé]tait|doit)\b|\bc'est (?:faux|pas [cç]a|incorrect)\b.*\b(?:est|sont|c'est)\b|\btu te trompes\b|\bje voulais dire\b|, (?:et )?(?:pas|non) (?:en |le |la |sur )?\S+$", "'est|en fait|erreur|faux|non|pardon|pas |tu te|voulais"),
    Cue("procedure", "runs", 1.45, r"\bpour (?:lancer|compiler|construire|d[eé]ployer|tester|publier|installer|d[eé]marrer|formater|migrer|d[eé]boguer|livrer|se connecter|reproduire|r[eé]g[eé]n[eé]rer|builder|relancer|v[eé]rifier|ex[eé]cuter)\b.*(?:`|\b(?:lance[rz]?|utilise[rz]?|fai(?:s|re|tes)|ex[eé]cute[rz]?|il faut|on (?:fait|lance|utilise|passe)|c'est|tape[rz]?|faut)\b)|\b(?:lance[rz]?|utilise[rz]?|ex[eé]cute[rz]?|avec|via) `[^`]+`.* (?:pour|avant|apr[eè]s|quand)\b|\b(?:le d[eé]ploiement|les d[eé]ploiements|on d[eé]ploie|la livraison|les tests|les migrations) (?:\w+ ){0,3}(?:se fait|se font|passent?|tournent?|sont|avec|via|par|depuis)\b", "apres|après|avant|deploie|déploie|les tests|livraison|migrations|pour|quand"),
    Cue("reference", "located", 1.3, rf"\b(?:le|la|l'|les|notre|nos|mon|ma) ?(?:[\w'-]+ ){{0,4}}(?:{_PLACE})(?: (?:de|du|des|d')? ?[\w'-]+){{0,3}} (?:est|sont|se trouve(?:nt)?|tourne(?:nt)?|[eé]coute(?:nt)?|vit|pointe|c'est)\b|\b(?:est|sont) (?:h[eé]berg[eé]|stock[eé]|situ[eé]|d[eé]ploy[eé]|document[eé]|d[eé]fini|rang[eé]|publi[eé])e?s? (?:[aà]|sur|dans|sous|chez|derri[eè]re|au|en)\b|\bse trouve(?:nt)? (?:[aà]|sur|dans|sous|au|en|derri[eè]re)\b|\b(?:tourne|[eé]coute) (?:sur|dans|en|derri[eè]re)\b", " c'est| est| pointe| sont| vit|defini|deploye|deployé|documente|documenté|défini|déploye|déployé|ecoute|heberge|hebergé|héberge|hébergé|publie|publié|range|rangé|situe|situé|stocke|stocké|tourne|trouve|écoute"),
    Cue("goal", "plans", 1.3, r"\b(?:reste(?:nt)? (?:[aà]|encore)|il reste|[aà] faire|prochaines? [eé]tapes?|plus tard|demain|la semaine prochaine|le mois prochain|rappelle-moi|pas (?:encore )?(?:fini|fait|termin[eé]|impl[eé]ment[eé])|l'objectif (?:est|c'est)|le but (?:est|c'est)|on (?:pr[eé]voit|compte) |nous pr[eé]voyons|je pr[eé]vois|feuille de route|jalon|en suspens|question ouverte)\b", "compte|demain|faire|feuille|jalon|le but|moi|nous|objectif|ouverte|pas|prevois|prevoit|prochaine|prévois|prévoit|reste|semaine|suspens|tard"),
    Cue("project", "is", 1.15, r"^(?:notre|nos|le nouve(?:au|l)|la nouvelle) [^.?]{2,60}? (?:est|sont|c'est) (?!cass|lent|en panne|pas\b|trop|tr[eè]s)\w", " c'est| est| sont"),
    Cue("project", "uses", 1.1, r"\b(?:on|nous|notre (?:[\w'-]+ ){0,2}[\w'-]+|ce (?:projet|d[eé]p[oô]t|service)|cette (?:appli(?:cation)?|biblioth[eè]que)|le (?:projet|d[eé]p[oô]t|service|backend|frontend|back|front|pipeline)|l'(?:appli(?:cation)?|api)|la ci) (?:utilise|utilisons|tourne|supporte|cible|d[eé]pend|n[eé]cessite|repose|suit|stocke|livre|d[eé]ploie)\b", "cible|depend|deploie|dépend|déploie|livre|necessite|nécessite|repose|stocke|suit|supporte|tourne|utilise|utilisons"),
)

NOTED = (
    Cue("lesson", "causes", 1.6, r"\b(?:cause (?:racine|profonde|r[eé]elle)|le (?:vrai |r[eé]el )?(?:probl[eè]me|bug|souci|coupable) (?:est|[eé]tait|vient|venait)|l'erreur (?:vient|venait|est|[eé]tait)|caus[eé]e?s? par|d[uû]e? [aà]|il s'av[eè]re|[eé]choue(?:nt|ait)? (?:car|parce)|provenait|provient|[aà] l'origine)\b", " est| etait| venait| vient| était|cause|causé|du a|du à|due a|due à|dû a|dû à|dûe a|dûe à|echoue|erreur|il s|origine|profonde|provenait|provient|racine|reelle|réelle|échoue"),
    Cue("lesson", "learnt", 1.4, r"\b(?:attention|pi[eè]ge|[aà] noter|notez que|important ?:|limite connue|contournement|cas limite|le[cç]on|[aà] retenir|point cl[eé]|compromis|inconv[eé]nient|condition de course|silencieusement|contrairement [aà])", "attention|compromis|contournement|contrairement|course|important|inconvenient|inconvénient|lecon|leçon|limite|noter|notez|piege|piège|point cle|point clé|retenir|silencieusement"),
    Cue("lesson", "fixes", 1.3, r"\b(?:corrig[eé]e?s?|le correctif|la (?:correction|solution)|r[eé]solue?s?|r[eé]gression|r[eé]par[eé]e?s?)\b", " correction| solution|correctif|corrige|corrigé|regression|repare|reparé|resolu|régression|répare|réparé|résolu"),
    Cue("decision", "decided", 1.4, r"\b(?:d[eé]cid[eé]|d[eé]cision|choisi|choix|opt[eé]|retenue?|convenu|plut[oô]t que|au lieu d|approche|recommand\w+|volontaire(?:ment)?|d[eé]lib[eé]r[eé]\w*)\b", " que|approche|choisi|choix|convenu|decide|decidé|decision|delibere|deliberé|delibére|delibéré|décide|décidé|décision|délibere|déliberé|délibére|délibéré|lieu|opte|opté|recommand|retenu|volontaire"),
    Cue("constraint", "requires", 1.2, r"\b(?:doi(?:t|vent)|il faut|n[eé]cessite|requiert|obligatoire|interdit|ne (?:peut|peuvent|doit|doivent)|uniquement|seulement (?:si|quand)|jamais|toujours|garanti\w*|invariant|contrainte|convention)\b", "contrainte|convention|doit|doivent|faut|garanti|interdit|invariant|jamais|necessite|nécessite|obligatoire|peut|peuvent|requiert|seulement|toujours|uniquement"),
    Cue("goal", "plans", 1.2, r"\b(?:reste(?:nt)? [aà]|[aà] faire|prochaines? [eé]tapes?|en attente|pas encore|en suspens|hors p[eé]rim[eè]tre|dette technique|question ouverte|report[eé]e?s?|plus tard)\b", "attente|dette|encore|faire|hors|ouverte|prochaine|reporte|reporté|reste|suspens|tard"),
    Cue("procedure", "runs", 1.1, r"\bpour (?:lancer|compiler|d[eé]ployer|tester|installer|d[eé]marrer|v[eé]rifier|activer|d[eé]sactiver|utiliser)\b|\b(?:lance[rz]|ex[eé]cute[rz]|utilise[rz]|via|avec) `[^`]+`", "avec `|executer `|executez `|exécuter `|exécutez `|lancer `|lancez `|pour|utiliser `|utilisez `|via `"),
    Cue("reference", "located", 1.0, r"\b(?:est|sont) (?:d[eé]fini|stock[eé]|situ[eé]|[eé]crit|lu|document[eé]|impl[eé]ment[eé]|h[eé]berg[eé]|configur[eé])e?s? (?:dans|[aà]|sur|sous|par|via)\b|\bse trouve(?:nt)? (?:dans|[aà]|sous|sur)\b", "configure|configuré|defini|documente|documenté|défini|ecrit|heberge|hebergé|héberge|hébergé|implemente|implementé|implémente|implémenté|lu |lue|lus|situe|situé|stocke|stocké|trouve|écrit"),
    Cue("event", "did", 0.9, r"^(?:j'ai |nous avons )?(?:ajout[eé]|corrig[eé]|cr[eé][eé]|mis [aà] jour|impl[eé]ment[eé]|supprim[eé]|d[eé]plac[eé]|renomm[eé]|remplac[eé]|simplifi[eé]|fusionn[eé]|migr[eé]|document[eé]|d[eé]ploy[eé])|\b(?:ont|a) [eé]t[eé] (?:ajout|corrig|cr[eé]|impl|supprim|d[eé]plac|renomm|remplac)", " ete| eté| éte| été|ajoute|ajouté|corrige|corrigé|cree|creé|crée|créé|deplace|deplacé|deploye|deployé|documente|documenté|déplace|déplacé|déploye|déployé|fusionne|fusionné|implemente|implementé|implémente|implémenté|jour|migre|migré|remplace|remplacé|renomme|renommé|simplifie|simplifié|supprime|supprimé"),
    Cue("project", "is", 0.7, r"\b(?:parce qu|car|afin|permet(?:tent)?|emp[eê]che(?:nt)?|renvoie(?:nt)?|g[eè]re(?:nt)?|cr[eé]e(?:nt)?|utilise(?:nt)?|appelle(?:nt)?|v[eé]rifie(?:nt)?|contient|d[eé]pend(?:ent)?|lorsque|quand|si)\b", "afin|appelle|car|contient|cree|crée|depend|dépend|empeche|empêche|gere|gère|lorsque|parce|permet|quand|renvoie|si|utilise|verifie|vérifie"),
)

OPENERS = (
    r"(?:alors|donc|bon|ok|okay|bien|tr[eè]s bien|parfait|super|g[eé]nial|oui|ouais|non|mais|et|puis|ensuite|enfin|d'accord|"
    r"voil[aà]|c'est (?:faux|incorrect|pas [cç]a|inexact)|tu te trompes|ah|oh|euh|bonjour|salut|merci|s'il te pla[iî]t|stp|svp|au fait|en fait|d'ailleurs|en r[eé]sum[eé]|bref|[aà] noter|"
    r"je pense que|je crois que|excellente question|bonne (?:id[eé]e|question|remarque)|tu as raison|vous avez raison|"
    r"effectivement|bien s[uû]r|compris|c'est not[eé]|not[eé]|par ailleurs|de plus|cependant|toutefois|malheureusement|pour info|"
    r"exact(?:ement)?|aussi|du coup|c'est (?:fait|fini|bon|r[eé]gl[eé])|oublie [cç]a|laisse tomber|changement de plan|j'ai chang[eé] d'avis|tout compte fait|bonne nouvelle|mauvaise nouvelle|franchement|attends|mais non)"
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
    r"il (?!faut|faudra|fallait|restera|restait|reste|y a|est (?:interdit|obligatoire|pr[eé]f[eé]rable|possible|impossible|recommand)|s'av[eè]re|ne faut|suffit|manque)",
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
    "il elle ils elles lui leur eux ça cela ceci celui celle ceux celles je tu nous vous me te moi toi mon ma mes ton ta tes "
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
    "merci parfait banco volontiers vas allez entendu alors donc sinon reste faut mon ton ils elles quand mais demain finalement depuis aussi chez avons avait sera seront faudra maintenant hier lundi mardi mercredi "
    "jeudi vendredi samedi dimanche semaine laisse tomber oublie rappelle manque leur leurs votre vos tous toutes doit doivent "
    "rien prochaine prochain dernier jours terminé fini choisi notre nos chaque".split()
)

FOUND = (
    Cue("goal", "plans", 1.7, r"^(?:[^:.]{0,40}: )?(?:(?:il )?reste (?:encore )?[aà]|restent [aà]|[aà] faire|prochaines? [eé]tapes?|encore ouvert|points? ouverts?|en suspens|en attente|la suite)\b[^.]{0,30} ?:|^il reste [aà] \w|\b(?:n'est|ne sont|n'a|n'ont) pas encore\b|\bmanque(?:nt)? encore\b", "attente|encore|faire|la suite|ouvert|prochaine|reste|suspens"),
    Cue("lesson", "causes", 1.6, r"\bcause (?:racine|profonde|r[eé]elle)\b|\bla cause (?:d[eu]s? |de la |de l')?[^.:]{0,60}(?:est|[eé]tait|[eé]taient|vient|venait) |\ble (?:vrai |r[eé]el )?(?:probl[eè]me|bug|souci|coupable) (?:est|[eé]tait|vient|venait)\b|\bl'erreur (?:vient|venait)\b|\bil s'av[eè]re\b|\b(?:[eé]tait|est|[eé]taient|sont) (?:caus[eé]|d[uû])e?s? (?:par|[aà]|au|aux)\b|\b[eé]choue(?:nt|ait)? (?:car|parce)\b|\bprov(?:enait|ient) d", " cause| causé| du| due| dus| dû| dûe| dûs| est| etait| venait| vient| était|echoue|erreur|il s|la cause|profonde|provenait|provient|racine|reelle|réelle|échoue"),
    Cue("lesson", "fixes", 1.6, r"\b(?:le correctif|la correction|la solution|le contournement) (?:est|[eé]tait|consiste)\b|\b(?:corrig[eé]|r[eé]solu)e?s? (?:en|par|avec|gr[aâ]ce)\b|\bcorrectif :", " consiste| est| etait| était|correctif|corrige|corrigé|resolu|résolu"),
    Cue("lesson", "learnt", 1.5, r"^(?:attention|pi[eè]ge|[aà] noter|important)\b|\bpi[eè]ge :|\bsilencieusement\b", "attention|important|noter|piege|piège|silencieusement"),
    Cue("procedure", "runs", 1.5, r"^pour (?:lancer|compiler|construire|d[eé]ployer|tester|publier|installer|d[eé]marrer|migrer|livrer|restaurer|reproduire|r[eé]g[eé]n[eé]rer|relancer|v[eé]rifier)\b.*`", "pour"),
)

FOLLOWS = (r"(?:car|parce|donc|ce qui|cela|[cç]a|elles?|ils?|le correctif|la (?:correction|solution)|corrig[eé]|sinon|du coup|d[eé]sormais)\b",)

REQUESTS = (
    r"(?!fais-(?:moi|nous) penser|.*\b(?:backlog|la prochaine fois|demain|la semaine prochaine|plus tard)\b)(?:(?:s'il te pla[iî]t|stp|peux-tu|pouvez-vous|tu peux|pourrais-tu|on va|et|maintenant|puis|salut|bonjour),? )*"
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

_NAMELESS = r"(?!(?:impl[eé]mentation|t[aâ]ches?|travail|plan|corrections?|modifications?|changements?|code|fichiers?|tests?|build|phase|[eé]tape|migration|fonctionnalit[eé])(?: \w+)? (?:est|sont|a|ont)\b)"

REPORTED = (
    Cue("goal", "plans", 1.7, r"^(?:je|nous) n'(?:ai|avons) pas (?:encore |pu )?(?:pu )?(?:fini|termin|d[eé]ploy|livr|migr)\w*|^(?:le|la|les|l'|votre|ton|ta|notre|`)[^,;]{3,80} (?:est|sont) (?:de nouveau|[aà] nouveau) (?:cass|en panne|en [eé]chec|ouvert)|\bfinalement,? (?:le|la|les|l')[^,;]{3,80} (?:n'est|ne sont) pas (?:fini|termin|r[eé]gl|corrig)|\brouvert ", "'ai|'avons|finalement|nouveau|rouvert"),
    Cue("decision", "decided", 1.7, r"^(?:comme convenu,? )?(?:on|nous) (?:laisse|laissons|a laiss[eé]|abandonn\w+|a abandonn[eé]) (?:tomber )?(?:le|la|les|l')|^(?:le|la|les|l'|notre) ?[^,;]{3,80} (?:est|sont) (?:abandonn|annul)[eé]", " est| sont|abandonn|laisse|laissons|laissé"),
    Cue("event", "did", 1.6, rf"^(?:j'ai|nous avons|on a) (?:bien |enfin )?(?:fini|termin[eé]|livr[eé]|d[eé]ploy[eé]|publi[eé]|migr[eé]|renouvel[eé]|mis en (?:prod|ligne|place|service)) (?:le|la|les|l'|votre|ton|ta|v?\d|`)|^(?:le |la |les |l'|votre |notre |ton |ta ){_NAMELESS}[^,;]{{3,80}} (?:est|sont) (?:maintenant |bien |enfin |d[eé]sormais )?(?:termin[eé]|fini|en place|en ligne|en production|en prod|d[eé]ploy[eé]|livr[eé]|fusionn[eé]|publi[eé]|pass[eé]|op[eé]rationnel)(?:le)?e?s?(?![\w-])(?! (?:[aà] |au |dans |par |quand|une fois|si ))|^(?:le |la |les |l'){_NAMELESS}[^,;]{{3,80}} (?:a|ont) (?:bien )?[eé]t[eé] (?:termin[eé]|d[eé]ploy[eé]|livr[eé]|fusionn[eé]|publi[eé]|mis en (?:prod|ligne|place))", " bien ete| bien eté| bien éte| bien été| est| ete| eté| sont| éte| été|'ai|nous|on a"),
)

CONDITIONS = (
    r"(?:^|[,;:] ?|\b(?:et|mais|ou|donc|seulement) )(?:si|s'il|quand|une fois|d[eè]s que|lorsque|tant que|avant que|apr[eè]s que)\b|\b(?:v[eé]rifie|assure-toi|dis-moi|pr[eé]viens-moi|attends|regarde)\b|\b(?:doit|devra|faut|pas|jamais|sera|seront) (?:\w+ )?(?:[eê]tre )?(?:encore )?(?:fait|fini|termin|pass|livr|place|ligne|prod|d[eé]ploy|merg|fusionn|publi|corrig|r[eé]solu|r[eé]gl|valid|pr[eê]t)",
)

REPORT_WORDS = "termin fini livr déploy deploy publi migré migre mis place ligne prod fusionn passé opérationnel abandonn annul tomber nouveau finalement rouvert renouvel"

SUPPOSES = (
    r"^(?:voyons|regardons|montre|on dirait|il semble|[cç]a (?:a l'air|semble)|quelle?s?\b|qui\b|quand\b|o[uù]\b|comment\b|combien\b|qu'est-ce|que\b|qu')",
    r"^(?:(?:alors|ok|bon|et|mais|ou|hmm+|euh),? )*(?:peut-[eê]tre|et si\b|pourquoi pas|pourquoi ne pas|est-ce qu|faut-il|doit-on|devrait-on|peut-on|peux-tu|tu peux|pourrait-on|que (?:dirais|penses)|qu'en (?:penses|dis)|quid d|je me demande|j'h[eé]site|j'avais pens[eé]|j'ai pens[eé] [aà]|je pensais [aà]|je ne sais pas|je sais pas|pas s[uû]re? |imagine|supposons|tu crois|dis-moi si|il (?:faudrait|serait) (?:peut-[eê]tre|bien de))",
    r"\b(?:on|nous|je|tu|[cç]a) (?:pourrai(?:t|s|ent)|pourrions)\b|\b(?:on|nous) (?:devrait|devrions) peut-[eê]tre\b|\bpeut-[eê]tre (?:qu|que|bien|un jour|plus tard)\b|\bqu'en (?:penses|dis)\b|\bsi on (?:passait|utilisait|mettait|prenait|faisait)\b|\b(?:aucune id[eé]e|ne sais pas|sais pas) (?:si|quoi|comment|pourquoi|qui)\b|\bou (?:alors|plut[oô]t|bien) on\b.*\b(?:ou|soit)\b",
)

PASSING = (
    r"^(?!.*\b(?:jamais|d[eé]sormais|toujours|sans|avant|apr[eè]s|plus tard)\b).*?\b(?:n'y touche[sz]?|ne (?:change|touche|modifie|corrige|fais|supprime|lance|pousse)[sz]?) (?:[aà] )?(?:rien|pas|surtout pas)(?: (?:au code|au d[eé]p[oô]t|[aà] [cç]a))?\W*$|\btu n'y touches pas\b",
    r"^(?:[aà] (?:demain|lundi|mardi|mercredi|jeudi|vendredi|plus|bient[oô]t|tout [aà] l'heure)|bonne (?:journ[eé]e|soir[eé]e|nuit)|bon (?:week-end|courage))\b",
    r"^(?:aucune id[eé]e|non merci|pas grave)\W*$|\b(?:non merci)\W*$",
)

POINTS_BACK = (
    r"^(?:bon,? |alors,? |finalement,? |donc,? )*(?:on|nous|je) (?:l'|le |la |les |y )(?:met|passe|appelle|d[eé]place|renomme|h[eé]berge|garde|fait|change|baisse|monte|repousse|avance|mettra|passera)\w*\b",
    r"^(?:finalement,? )?(?:mets|met|mettons|passe|passons|d[eé]place|appelle|appelons|renomme|laisse|garde|rouvre)(?:-(?:le|la|les|[cç]a)| [cç]a)\b",
    r"^finalement,? (?:ce n'est|c'est|[cç]a|il n'est|elle n'est|ils|elles|ce sera)\b",
)

SUBJECTS = (
    r"^(?P<subject>(?:le|la|les|l'|notre|nos|mon|ma) ?(?:[\w/-]+ (?:de |du |des |d')?(?:la |l')?){0,3}?[\w/-]+) (?:est|sont|[eé]tait|[eé]taient|tourne|[eé]coute|utilise|passe|a|ont|va|vit|pointe|se trouve|co[uû]te|doit|commence|s'appelle|marche|reste|sera)\b",
    r"\b(?:mis|pass[eé]|d[eé]plac[eé]|chang[eé]|configur[eé]|renomm[eé]|r[eé]gl[eé]|ajout[eé]|d[eé]ploy[eé]|lanc[eé]|h[eé]berg[eé]|corrig[eé]|termin[eé]|fini) (?P<subject>(?:le|la|les|l'|notre|un|une) ?(?:[\w/-]+ (?:de |du |des |d')?(?:la |l')?){0,3}?[\w/-]+)(?= (?:sur|en|[aà]|au|dans|pour|vers|avec)\b|[.,;:!]|$)",
)

STILL_OPEN = (
    r"(?:(?:ce qui )?(?:il )?reste(?:nt)? (?:encore )?[aà] (?:faire|traiter|r[eé]gler)|(?:il )?reste(?:nt)?(?: encore)?|[aà] faire(?: plus tard| ensuite)?|prochaines? [eé]tapes?|(?:encore |toujours )?ouvert|(?:points?|questions?|t[aâ]ches?|sujets?) (?:encore )?ouverte?s?|en suspens|en attente|pas encore fait|non fait|la suite|t[aâ]ches? (?:restantes?|en attente|[aà] faire)|ce qui reste)\b[^:.]{0,30}",
)

SETTLED = (
    r"\b(?:fait|faite|fini|finie|termin[eé]e?|r[eé]solue?|r[eé]gl[eé]e?)s?\W*$|^(?:rien|aucune?|n[eé]ant|pas de)\b",
)

SEVERITIES = (
    ("critical", r"\b(?:perte de donn[eé]es|perdu (?:\w+ ){0,3}(?:donn[eé]es|commandes|paiements|clients|sauvegardes?|factures)|(?:prod(?:uction)?|le site|tout|le service|le cluster|la plateforme) (?:est|[eé]tait|a [eé]t[eé]) (?:tomb[eé]e?|par terre|hors service|indisponible|[aà] terre|down)|(?:efface|effac[eé]|supprime|supprim[eé]|vide|vid[eé]|[eé]crase|[eé]cras[eé]|d[eé]truit|corrompt|corrompu|tronque|tronqu[eé])e?s?(?: aussi)? (?:\w+ ){0,3}(?:prod(?:uction)?|base|donn[eé]es|clients?|tables?|sauvegardes?|commandes|factures|archives|d[eé]p[oô]t|index|disque)|faille(?: de s[eé]curit[eé])?|intrusion|(?:cl[eé]s?|secrets?|mots? de passe|jetons?|identifiants|donn[eé]es (?:clients?|personnelles)) (?:\w+ ){0,3}(?:fuit[eé]e?s?|expos[eé]e?s?|publi[eé]e?s?|en clair)|fuite (?:de |des |d')(?:\w+ ){0,2}(?:donn[eé]es|secrets?|cl[eé]s?|mots?|jetons?)|irr[eé]versible|irr[eé]cup[eé]rable|plus jamais|jamais,? (?:au grand )?jamais|(?:d[eé]bit[eé]|factur[eé]|pay[eé]|pr[eé]lev[eé])e?s? (?:\w+ ){0,3}(?:deux fois|en double)|double (?:facturation|paiement|pr[eé]l[eè]vement)|[cç]a nous a co[uû]t[eé] (?:\w+ ){0,3}(?:€|euros?|un client|des clients|le contrat)|rgpd)\b"),
    ("high", r"\b(?:pannes?|coupure|incident|indisponib\w+|(?:co[uû]t[eé]|perdu|pass[eé]|mis|pris) (?:\w+ ){0,4}(?:heures|jours?|semaines?|nuits?|week-?end|apr[eè]s-midi|journ[eé]es?|matin[eé]e)\b|toute (?:la|une) (?:nuit|journ[eé]e|semaine)|tout le week-?end|deux jours|(?:casse|bloque|plante|arr[eê]te|a cass[eé]|a bloqu[eé]|a plant[eé])e?s? (?:\w+ ){0,3}(?:prod(?:uction)?|d[eé]ploiement|livraison|paiements?|connexion|tout|tous)|retour arri[eè]re|s[eé]curit[eé]|vuln[eé]rabilit[eé]|interblocage|condition de course|silencieusement|en prod(?:uction)?|clients? (?:se sont|ont|mont[eé]|touch[eé])|argent|critique|dangereu(?:x|se)|grave|s[eé]rieu(?:x|se)|catastroph\w+|cauchemar|[aà] nos d[eé]pens|fuite m[eé]moire|surtout (?:pas|jamais))\b"),
    ("low", r"\b(?:mineure?|petit (?:pi[eè]ge|d[eé]tail|truc|souci)|petite (?:astuce|chose)|cosm[eé]tique|sans gravit[eé]|pas grave|rien de grave|inoffensif|simple avertissement|juste un avertissement|l[eé]g[eè]rement|astuce|coquille|d[eé]tail)\b"),
)

FRENCH = LanguageCues(
    stated=STATED, noted=NOTED, found=FOUND, follows=FOLLOWS, errands=ERRANDS, requests=REQUESTS, ours=OURS, openers=(OPENERS,), soft_openers=SOFT_OPENERS,
    narration=NARRATION, dangling=DANGLING, agreement=AGREEMENT, choice_question=CHOICE_QUESTION, chosen="Décidé", ordinals=ORDINALS,
    pronouns=PRONOUNS, generic_headings=GENERIC_HEADINGS, reported=REPORTED, report_words=REPORT_WORDS, conditions=CONDITIONS, supposes=SUPPOSES, passing=PASSING, points_back=POINTS_BACK, subjects=SUBJECTS,
    still_open=STILL_OPEN, open_label="Reste à faire :", settled=SETTLED, severities=SEVERITIES, markers=MARKERS, letters=frozenset("àâçèêëéîïôùûœ"),
)  # fmt: skip
