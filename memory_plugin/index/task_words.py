"""The words in which people say what became of a task: English and French. Patterns over a text in small letters."""

# ruff: noqa: E501 -- one pattern is one row of the table, however long

from __future__ import annotations

DONE = (
    r"\b(?:done|finished|completed?|merged|shipped|rolled out|confirmed|mounted|tested|transferred|restored|reviewed|checked|deployed|landed|released|published|solved|resolved|fixed|works|working|sent|reserved|booked|renewed|migrated|ported|upgraded|validated|signed|delivered|submitted|installed|cleaned|labelled|written up|closed)\b",
    r"\b(?:went live|is live|are live|is up|is in\b|is out\b|are in\b|tests pass|all green|green again|in place|in prod|on prod|no \w+ (?:\w+ )?left|is gone|are gone|stays flat|i tested it|looks right|confirmed it works|has (?:a )?full|got through|got an appointment|opened the|is good until|i deleted|i removed|i wrote|i added|all nodes|all \d+|there's no|there is no|has been adapted|have labels|report \d|i (?:just )?(?:did|paid|called|ordered|bought|handed)|come back in|you'll get|now)\b",
    r"\b(?:c'est (?:fait|réglé|bon|en ligne|corrigé|envoyé|signé|livré)|terminée?s?|finie?s?|livrée?s?|réglée?s?|corrigée?s?|activée?s?|envoyée?s?|en ligne|en prod depuis|validée?s?|marche|marchent|ça marche|est parti|est partie|j'ai (?:rendu|soudé|eu|posé|fini|envoyé|réparé|payé|commandé|corrigé|ajouté|écrit|installé)|tourne sur|tournent sur|a validé|déjà utilisé|y a plus|il n'y a plus|est éteinte|j'ai vérifié|on est descendus|tombent à la bonne|est en place|sont en place|mise? en place|publiée?|fusionnée?|est passée?)\b",
)
DROPPED = (
    r"(?:^|[.,;:!] )(?:so |ok,? )?(?:drop|forget|scrap|skip|cancel) (?:the|that|this|it|about)\b|\b(?:we're|we are|i'm|i am|will) not (?:be )?(?:\w+ing|built|done|made|needed|added|written)\b",
    r"\b(?:forget (?:it|about|the)|won't do|won't-fix|wontfix|won't happen|isn't going to happen|not going to|no need to|skip(?:ping)?|we'll skip|against|cut from|was cut|made no sense|makes no sense|not worth|leave .{1,30} (?:where|as) it is|dropp?ed|cancell?ed|called off|abandoned|nobody (?:uses|wants|needs)|not needed|no longer needed|is off|gave up|giving up|scrapp?ed|sold|no budget|too expensive|too much trouble|fast enough|good enough|without it|not doing)\b",
    r"\b(?:won't (?:be )?(?:\w+ing|build|write|do|happen|make|need|buy|hire|port|add|support|use|have|get|go)|not happening|off the (?:table|roadmap|list)|voted down|turned down|killed|ruled out|rejected|bad idea|we stay with|stay(?:s|ing)? (?:with|as|where)|let it go|is fine as|there'll be no|there will be no|freeze|not buying|instead of buying|nobody wants|no interest|pointless|overkill|no point)\b",
    r"\b(?:reste comme|reste en l'état|n'aura pas lieu|aura pas lieu|on ne \w+ra pas|on \w+ra pas|ne se fera pas|n'en veut pas|veut pas|pas d'achat|pas de .{1,30} (?:cette année|pour nous)|hors de prix|trop de (?:boulot|travail)|tombe à l'eau|abandonnée?|enterrée?|refusée?|sans nous|aucun intérêt|pas rentable)\b",
    r"\b(?:laisse tomber|laisser tomber|on laisse|abandonne|abandonné|renonce|annulée?|annule|veut plus|veulent plus|inutile|pas la peine|on s'en passera|s'en passer|plus besoin|pas besoin|pas de .{1,40} finalement|finalement pas|trop gros|trop cher|déchetterie|on ne fera pas|on fera pas|ça ne se fera pas|ça se fera pas|sans intérêt|tant pis|mort|on oublie|retirée?)\b",
)
AGAIN = (
    r"\b(?:again|once more|is back|are back|came back|comes back|after all|didn't hold|doesn't hold|not (?:fixed|solved|done|finished)|isn't (?:fixed|done|finished|reproducible)|roll(?:ed)? .{0,30}back|reverted?|reopen|still (?:fails|happens|broken|leaks|crashes|there)|wrong|needs? rewriting|before we can call|over it again|bounced|had declared|regress\w*|returned|broke)\b",
    r"\b(?:à nouveau|de nouveau|encore (?:cassé|une fois)|sont encore|est encore|fuit encore|toujours (?:les|le|la|pas|là|cassé)|n'est pas|n'était pas|c'était pas|pas (?:stable|réglé|fini|terminé)|redécroche|revenue?s?|refusé|s'y remettre|reprendre|rouvrir|rechute|re(?:plante|casse|tombe)|en fin de compte)\b",
)
UNFINISHED = (
    r"\b(?:still (?:to|missing|need|needs|has to|have to|waiting)|missing|to go\b|not yet|waits? for|waiting|started|began|half|part of|so far|down to|would do|only\b|for the moment|for now|arrived|picked|everyone is|asked (?:once )?|when .{1,20} will|deadline|pushed \w+ more|compared|reproduce|because it doesn't|doesn't|can't|next|tomorrow|soon|will be|planned)\b",
    r"\b(?:il manque|manque|reste à|reste|commencé|en cours|attend|pas encore|met encore|encore \w+ secondes|bientôt|prévu|sera|est livrée? (?:lundi|mardi|mercredi|jeudi|vendredi)|en congés|à choisir|j'ai mesuré|votés?|demain|environ|à peu près)\b",
)
# Any verb, in the form that says that something has been.
PAST = (
    r"\b(?:has|have|had|was|were|is|are|been|i|we|they|he|she|got|just|already|'ve|'s) (?:\w+ )?(?:\w{2,}ed|written|done|built|sent|found|put|made|bought|paid|read|sold|taken|given|set|drawn|rewritten|chosen|gone|begun|wrote|got|took|gave|chose|met|ran|sped|split|cut|hung|dug|taught|held)\b|^\w{3,}ed\b|^(?:done|written|built|sent|found|bought|paid)\b",
    r"\b(?:est|sont|a|ont|ai|avons|été|j'ai|on a|c'est)\s+(?:\w+\s+)?\w+(?:é|ée|és|ées|i|ie|is|ies|it|ite|u|ue|us|ues|ert|erte|int|inte)\b|\bplus (?:un |une |aucune? |de |d')",
)
# And the form that says that it has not.
NOT_YET = (
    r"\b(?:not|n't|never|no one|nobody|nothing|until|when|if|unless|whether|would|could|should)\b|n't\b",
    r"\b(?:pas|jamais|aucun|rien|si|quand|jusqu'|faudrait|faut|devrait|pourrait|doit|va)\b",
)
TABLES = {
    "past": PAST,
    "not_yet": NOT_YET,
    "done": DONE,
    "dropped": DROPPED,
    "again": AGAIN,
    "unfinished": UNFINISHED,
}
