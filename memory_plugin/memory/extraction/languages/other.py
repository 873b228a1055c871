"""The strongest cues of a few more languages: standing instructions, decisions, causes, what is open."""

# ruff: noqa: E501 -- one pattern is one row of the table, however long

from __future__ import annotations

from memory_plugin.memory.extraction.languages.table import Cue, LanguageCues

OTHER = LanguageCues(
    stated=(
        Cue("preference", "avoids", 1.6, r"^(?:bitte )?niemals?\b|\bnie(?:mals)? (?:wieder|mehr)\b|\bnunca (?:uses|hagas|añadas|subas)\b|^(?:nunca|jamás)\b|^(?:mai|non usare mai)\b|不要|别(?:用|再)|絶対に|しないで|使わないで|никогда не\b", "jamás|mai|nie|nunca|е|で|に|再|用|要"),
        Cue("preference", "prefers", 1.6, r"\b(?:ab (?:jetzt|sofort)|von nun an|in zukunft|ich bevorzuge|(?:benutze?|verwende|nutze|schreib[e]?) (?:bitte )?immer|immer .{0,30}(?:verwenden|benutzen|nutzen)|a partir de ahora|de ahora en adelante|prefiero|(?:usa|utiliza|escribe) siempre|siempre (?:usa|utiliza|que)|d'ora in poi|preferisco|usa sempre|a partir de agora|prefiro|sempre use)\b|从现在(?:开始|起)|以后|总是|始终|我(?:更)?喜欢|我偏好|今後|これから(?:は)?|いつも|常に|必ず|отныне|всегда|предпочитаю", "'ora|agora|ahora|bevorzuge|immer|jetzt|nun|preferisco|prefiero|prefiro|sempre|siempre|sofort|zukunft|а|е|ю|ず|に|も|れから|后|好|始|後|是|欢|终|起"),
        Cue("preference", "requires", 1.6, r"\b(?:merk(?:e)? dir|denk daran|vergiss nicht|recuerda que|no olvides|ricorda(?:ti)? che|lembre-se)\b|记住|请记得|覚えて(?:おいて)?|запомни", "denk|lembre|merk|nicht|olvides|recuerda|ricorda|и|住|得|覚えて"),
        Cue("decision", "decided", 1.5, r"\b(?:wir haben (?:uns )?.{0,60}entschieden|wir nehmen|hemos decidido|decidimos|vamos (?:a usar|con)|abbiamo deciso)\b|我们(?:决定|选择|采用)|に(?:決め|し)ました|を採用|мы решили", "decidimos|deciso|haben|hemos|nehmen|vamos|и|た|定|择|用"),
        Cue("identity", "named", 1.5, r"\b(?:ich heiße|mein name ist|me llamo|mi nombre es|mi chiamo|o meu nome é)\b|我叫|私の名前は|меня зовут", " es| ist|chiamo|heiße|llamo|é|я|は|叫"),
        Cue("lesson", "causes", 1.4, r"\b(?:die ursache|das problem (?:ist|war)|la causa|el problema (?:es|era)|il problema (?:è|era))\b|原因是|问题是|原因は|причина", "causa|das|die|problema|а|は|是"),
    ),
    noted=(
        Cue("lesson", "causes", 1.5, r"\b(?:ursache|das problem (?:ist|war)|la causa|el problema (?:es|era))\b|原因|根本|причина", "causa|das|problema|ursache|а|因|本"),
        Cue("decision", "decided", 1.3, r"\b(?:entschieden|entscheidung|decidido|decisión|deciso)\b|决定|決定|採用|решили", "decidido|decisión|deciso|entscheidung|entschieden|и|定|用"),
        Cue("goal", "plans", 1.2, r"\b(?:noch offen|nächste schritte|pendiente|próximos pasos)\b|待办|下一步|残り|次の", "noch|nächste|pasos|pendiente|の|り|办|步"),
    ),
    narration=(r"(?:ich werde|lass mich|schauen wir|voy a|déjame|vamos a ver)\b|(?:让我|我来|现在我)|それでは",),
    dangling=(r"(?:es|dies|das|sie|er|esto|eso|ellos|lo que)\b(?= (?:ist|war|hat|wird|es|era|ha)\b)|(?:这|那|它)(?:是|会|个)|(?:これ|それ)は",),
    agreement=(r"(?:ja|klar|genau|sí|si|vale|claro|sim|好的?|是的?|可以|はい|да|хорошо)[,.!。！ ]*",),
    markers=frozenset(
        "der das und ist nicht wir ich bitte immer nie niemals nunca siempre prefiero hemos decidido decidimos vamos los las "
        "una para recuerda pendiente il che della abbiamo deciso preferisco sempre mai usare prefiro ursache noch ja klar genau "
        "vale claro sim si benutze verwende nutze".split()
    ),
    letters=frozenset("äöüßñíóúáãõì¿¡"),
    script="\u0400",
)
