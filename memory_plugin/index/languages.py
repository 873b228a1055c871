"""Which language a text is in, told by its commonest words, and those words themselves."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# The words that say nothing about what a text is about. Apostrophes are split off before they are looked up.
STOP_WORDS: dict[str, frozenset[str]] = {
    "english": frozenset(
        """
        a about above after again against all also am an and any are aren as at be because been before being
        below between both but by can cannot could couldn did didn do does doesn doing don down during each
        few for from further had hadn has hasn have haven having he her here hers herself him himself his
        how i if in into is isn it its itself just let ll me more most my myself no nor not of off on once
        only or other our ours ourselves out over own re s same she should shouldn so some such t than that
        the their theirs them themselves then there these they this those through to too under until up us
        ve very was wasn we were weren what when where which while who whom why will with won would wouldn
        you your yours yourself
        """.split()
    ),
    "french": frozenset(
        """
        à ai aie ait alors as au aucun aussi autre aux avait avec avez avoir avons c ça car ce ceci cela
        celle celui ces cet cette ceux chaque ci comme d dans de des déjà donc dont du elle elles en encore
        entre es est et étaient était été être eu eux fait faut il ils j je l la là le les leur leurs lui m
        ma mais me même mes moi mon n ne ni nos notre nous on ont ou où par pas peu peut plus pour pourquoi
        qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta te
        tes toi ton tous tout toute toutes très tu un une va vers vos votre vous y
        """.split()
    ),
    "german": frozenset(
        """
        aber alle als also am an auch auf aus bei beim bin bis da damit dann das dass dein dem den der des
        dich die dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es etwas
        euch für gegen habe haben hat hatte hier ich ihm ihn ihr ihre im in ins ist ja jede jeder jetzt kann
        kein keine man mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine
        sich sie sind so soll sondern über um und uns unser unter vom von vor war waren warum was weil wenn
        wer werden wie wieder wir wird wo wurde zu zum zur zwischen
        """.split()
    ),
    "spanish": frozenset(
        """
        a al algo como con cual cuando de del desde donde dos el ella ellas ellos en entre era es esa ese
        eso esta está están estas este esto estos fue ha han hasta hay la las le les lo los más me mi mis
        mucho muy nada ni no nos nosotros nuestra nuestro o otra otro para pero por porque puede que qué
        quien se sea ser si sí sin sobre son soy su sus también te tiene todo todos tu tus un una uno unos y
        ya yo
        """.split()
    ),
    "italian": frozenset(
        """
        a ad ai al alla alle anche c che chi ci come con cosa cui d da dal dalla dei del della delle di dove
        e è ed era gli ha hanno ho i il in io l la le lei lo loro lui ma me mi mio nei nel nella noi non o
        per perché più può quando quello questa questo qui se sei si sia sono su sua sul sulla suo ti tra tu
        tutti tutto un una uno voi
        """.split()
    ),
    "portuguese": frozenset(
        """
        a ao aos as às até com como da das de dela dele do dos e é ela ele eles em entre era essa esse esta
        está este eu foi há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós o
        os ou para pela pelo por porque quando que quem se sem ser seu sua são só também te tem um uma você
        """.split()
    ),
    "dutch": frozenset(
        """
        aan al alles als ben bij daar dan dat de der deze die dit doen door een en er ge geen had heb hebben
        heeft het hier hij hoe hun ik in is ja je kan kon maar me meer men met mij mijn moet na naar niet
        nog nu of om omdat ons ook op over te tegen toch toen tot u uit van veel voor want was wat we wel
        werd wie wij worden ze zich zij zijn zo zou
        """.split()
    ),
    "swedish": frozenset(
        """
        alla att av blev bli de den denna det dig din du där efter eller en er ett från för ha hade han har
        hon hur här i icke inte jag kan man med men mig min mot mycket nu när någon något och om oss på
        samma sedan sig sin ska som så till under upp ut vad var vara vi vid vill är över
        """.split()
    ),
    "russian": frozenset(
        """
        а без бы был была были было быть в вам вас во вот все всё вы да для до его ее если есть еще же за и
        из или им их к как когда кто ли меня мне мы на нас не нет но ну о об он она они от по при с со так
        также там то того тоже только тут ты у уже что чтобы это этот я
        """.split()
    ),
}
# Chat words: they fill a prompt and are in no note for a reason.
PROMPT_WORDS = frozenset(
    """
        again anything bit can could does done explain find fine get give go going good got great hello help
        hey hi kind know like look lot make maybe need now ok okay one please problem quick really remember
        right see show something start still sure take tell thank thanks thing things think time today try
        understand use used using want way well work would yes yet aide aider besoin bonjour bien chose
        choses comment connais crois dire dis dois donne faire fais merci montre ok oui penses peux pouvez
        pourrais salut sais savoir souviens stp svp trouve utilise utiliser veux voir vois voudrais bitte
        danke gut hallo kannst können machen mal möchte weiß wissen zeig favor gracias hola puedes quiero
        saber
        """.split()
)
_WORD = re.compile(r"[^\W\d_]+")
# Letters of the scripts without spaces between words: Thai and Lao, Japanese, Chinese, Korean.
UNSPACED = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_UNSPACED_RUN = re.compile(rf"[{UNSPACED}]{{2}}")
_SAMPLE = 4000  # characters; a language shows in far fewer


def detect(text: str) -> str:
    """The language with the most stop words in the text's beginning; English when none says otherwise."""
    words = _WORD.findall(unicodedata.normalize("NFKC", text[:_SAMPLE]).casefold())
    counts = {language: sum(word in stops for word in words) for language, stops in STOP_WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > counts["english"] else "english"


@lru_cache(maxsize=20_000)
def language_of(text: str) -> str:
    """As `detect`; "unspaced" where words are not set apart."""
    return "unspaced" if _UNSPACED_RUN.search(text) else detect(text)
