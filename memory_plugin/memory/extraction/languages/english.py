"""English cues."""

# ruff: noqa: E501 -- one pattern is one row of the table, however long

from __future__ import annotations

from memory_plugin.memory.extraction.languages.table import Cue, LanguageCues

# Where an instruction can begin: at the start, after a mark, or after one of these words.
_START = r"(?:^|[,;:.(–—-]\s*|\b(?:please|and|but|so|then|you|we|to|should|must|shall|also|just)\s+)"
# A word after "never" or "always" that tells what happens, and so gives no order: "never reaches", "always failed".
_TELLS = r"(?!\w+(?:[^s\W]s|ed|ing)\b)"
_PERSON = (
    r"wife|husband|partner|boss|manager|lead|colleague|coworker|co-worker|teammate|friend|daughter|son|mother|father|"
    r"sister|brother|assistant|client|customer|mentor|intern|dog|cat"
)
_PLACE = (
    r"server|url|host|hostname|database|db|port|endpoint|bucket|cluster|repo|repository|domain|dashboard|registry|queue|"
    r"namespace|project|branch|environment|region|account|folder|directory|runbook|docs|wiki|channel|board|tracker|"
    r"staging|production|prod|keys?|credentials|certificates?|tokens?|passwords?|instance|address|path|file|config|configuration|api|broker|version|image|service"
)

STATED = (
    Cue("goal", "plans", 1.68, r"\b(?:is|are|'s|keeps?|goes|went) (?:\w+ )?(?:broken|failing|fails|down|flaky|slow|leaking|crashing|back|red|stuck|unstable) again\b|\bre-?open(?:s|ed|ing)?\b|\b(?:is|are|was|were|isn't|aren't|wasn't|weren't|'s) (?:not )?(?:actually |really |fully |quite )?(?:done|finished|fixed|over|complete|resolved|solved|closed|working) after all\b|\b(?:isn't|aren't|wasn't|'s not|is not|are not|was not) (?:actually |really |fully |quite )(?:done|finished|fixed|complete|resolved|solved)\b|\b(?:is|are|'s) still (?:broken|failing|not (?:fixed|working|done))\b|\bback on the (?:list|table|agenda)\b|\b(?:has|have|needs?) to be (?:redone|done again|reworked)\b|\bwe (?:do|will|'ll) (?:want|need|do|build|add|ship) .{2,80} after all\b|\b(?:bug|problem|issue|leak|error|crash|timeout|outage)s? (?:is|are|has come|have come|came) back\b", "again|open|after all|still|n't|not |back|redone|rework"),
    Cue("decision", "decided", 1.67, r"^(?:please )?(?:forget|drop|scrap|scratch|cancel|abandon|shelve) (?:about )?(?:the|our|my|that|this) (?:\w+ )?(?:idea|plan|feature|task|work|mode|support|integration|migration|export|import|page|rewrite|refactor\w*|project|ticket|story|\w+)\b.{0,60}(?:,|;|:|\bwe\b|\bfor good\b|\baltogether\b|\bentirely\b|\bnot worth\b)|^(?:please )?forget about (?!(?:it|that|this)\b)\w+|\bwe(?:'re| are) not (?:doing|building|going to (?:do|build|ship|add|support)|shipping|adding) |\b(?:we|i) (?:won't|will not) (?!be\b|have time|know|\w+ (?:it|that|this)\W*$)\w+ .{3}|\b(?:we|i)(?:'ve| have)? (?:dropped|cancelled|canceled|abandoned|shelved|scrapped|gave up on|given up on) |\b(?:is|are|was|were|got) (?:cancelled|canceled|dropped|abandoned|shelved|scrapped|off the table)\b|\b(?:we|i) (?:don't|no longer) (?:need|want) .{2,80}any ?more\b|\b(?:we|i) no longer (?:need|want) \w+|\b(?:is|are) (?:no longer|not) needed(?: any ?more)?\b|\bno need for .{2,80} any ?more\b|\blet'?s not (?:do|build|ship|add|use|bother)\b", "forget|drop|scrap|scratch|cancel|abandon|shelve|not doing|not building|not going|not shipping|not adding|won't|will not|gave up|given up|off the table|any more|anymore|no longer|not needed|let's not|lets not"),
    Cue("decision", "decided", 1.66, r"^(?:scrap|scratch|strike|forget) that\b.{0,6}\w|^forget what (?:i|we) (?:said|decided|agreed)\b|\bend(?:ed)? up (?:with |\w+ing )\w+|\b(?:we|i)(?:'re| are|'m| am)? (?:going |go |went |gone )?back (?:on|to|with|in) \w+|\b(?:reverted|returned) to \w+|\bagain instead\b|\bchange of plans?\b.*\w+ \w+|\bchanged (?:my|our) minds?\b|\bon second thoughts?\b|\blet'?s (?:put|move|set|make|run|call|change|bump|raise|lower|host|name|rename|push|pull|keep|do|have|hold|bring|take|store|deploy|increase|reduce|limit) .{2,80} (?:on|to|at|in|into|under|back|from|with|by|every|instead)\b|\blet'?s (?:call|name|rename|make) (?:it|this|that|them|the) \w+|\blet'?s (?:stay|remain|go|leave|continue) (?:on|with|at|in|back)\b|\b(?:we|i)(?:'ll| will)? (?:prefer|take|pick|choose) .{2,60} (?:after all|instead|now)\b|\b(?:make|use|take|put|set|call) .{2,60} instead\W*$|\bafter all,? (?:we|let'?s|it)\b|\b(?:we|it)(?:'ll|'s| will| is|'re| are)? .{2,60} after all\W*$", "scrap|scratch|strike|forget|change|thought|let's|lets|instead|after all| up |back|revert|return| now"),
    Cue("goal", "plans", 1.62, r"^(?:todo|to-do)\b|\b(?:todo|to-do)\s*[:–—-]|\b(?:we|i|you|they|somebody|someone)(?:'ve|'ll| will)? still (?:have to|need|got to|must|should|want to|owe)\b|\bstill (?:ha(?:ve|s)|needs?) to\b|\b(?:needs?|need) (?:another look|more work|some work|a second look)\b|\b(?:isn't|aren't|is not|are not) (?:quite )?right yet\b|\b(?:is|are) still (?:to do|to be done|missing|open|pending|unfinished|outstanding|on the list|on my list|on our list)\b|\bstill (?:missing|open|pending|outstanding|to do)\s*:|\bdon'?t let (?:me|us) forget\b|\bremind (?:me|us) (?:to|about|of|that|in|on|next|tomorrow|later)\b|\b(?:later|next time|next week|next month|next sprint|tomorrow|at some point|afterwards|some ?day|one day),? (?:we|i|you)(?:'ll|'ve| must| should| have| need| will| ought| want| can)\b|\b(?:we|i|you|someone|somebody|they)(?:'ll|'ve got to| must| should| have to| has to| need to| needs to| will| ought to| want to) .{2,120} (?:later|next time|next week|next month|next sprint|tomorrow|at some point|afterwards|some ?day|another (?:day|time)|one of these days)\W*$|\bleft to do\b|\bremains to be (?:done|\w+ed)\b|\b(?:haven't|hasn't|have not|has not) (?:yet )?(?:been )?\w+.{0,80}\byet\b|\b(?:isn't|aren't|is not|are not) (?:yet )?(?:done|finished|implemented|written|migrated|covered|tested|documented|deployed|merged)(?: yet)?\b|\b(?:on|to|in) (?:my|our|the) (?:to-?do(?: list)?|backlog|list of (?:open )?tasks)\b|\bfor (?:later|next time|another day)\b(?=\W*$|\s*[:,])|\bnote to self\b|\bopen tasks?\b|\bdon'?t forget to .{2,100}\b(?:tomorrow|later|next (?:time|week|month)|on (?:mon|tues|wednes|thurs|fri)day|before (?:the|we|friday|monday))\b", "todo|to-do|still|forget|remind|later|next|tomorrow|some point|afterwards|some day|someday|one day|another|these days|left|remain|yet|not |n't|list|backlog|note to|open task|another look|work|second look"),
    Cue("goal", "plans", 1.64, r"\b(?:we|i|you) (?:really |also |do |just )?(?:have|need|ought) to (?:track|fix|look into|find|sort|clean|write|build|repair|solve|chase|investigate|reproduce|document|test|check|measure|renew|rotate|migrate|replace|upgrade|add|remove|get rid of|finish) .{2,120}\b(?:not (?:now|today|this week|yet)|but (?:it|that|this|not)\b|later|at some point|eventually|one day|soon|when (?:i|we|there)|once (?:i|we|the)|until then)|\b(?:somebody|someone|one of us) (?:should|must|has to|ought to|needs to) (?!not\b|always\b|never\b)\w+|\b(?:put|keep|leave) (?:it|that|this) on (?:the|my|our) list\b|\bwhat (?:we|i) (?:do |still |really |also )*need (?:soon|next|later|is\b|at some point)|\b(?:that|it|this) (?:has to|must|can|will have to|needs to) wait\b|^(?:then |so )?(?:it |that |this )(?:wasn't|isn't|was not|is not) (?:really |actually )?(?:fixed|done|finished|solved|over)\b|\b(?:open|reopen) (?:it|that|this) again\b", "have to|need|ought|should|must|has to|list|wait|again|n't |not "),
    Cue("event", "did", 1.481, r"^(?:the |that |our |so the |then the )?(?!(?:we|i|you|they|it|he|she|get|got|gets|have|has|had|is|are|be|needs?|wants?|must|should|not|to|if|all|both|everything|just|very|when|once|until|want|please|make|how|why|what|who|where|this|keep|leave|mark|call|consider|well|nothing|nearly|almost|half|never|easily|already)\b)(?:[\w'`./-]+ )(?!(?:we|i|is|are|was|gets?|be|to|not|needs?|must|should|will|would|can|keeps?)\b)(?:[\w'`./-]+ ){0,3}?(?:fixed|done|finished|merged|shipped|solved|resolved|closed|deployed|released|rotated|renewed)(?: then| now| too| as well| at last)?(?:[.,;!]|$)|\b(?:we're|we are|i'm|i am) on [\w.+-]+(?: [\w.]+)? (?:now|and|at last|since|,|as of)\b", "fixed|done|finished|merged|shipped|solved|resolved|closed|deployed|released|rotated|renewed| on "),
    Cue("relationship", "is", 1.668, r"\b(?-i:(?!It|This|That|We|They|He|She|The|There|Who|What|Which|One|Everything|Nothing)[A-Z][a-zà-ÿ]+) (?:takes|took|is taking|gets|got|inherits|inherited|will take) .{2,50} from (?:her|him|them|(?-i:[A-Z])\w+)\b|\b(?:put|make|have|set|add) (?-i:[A-Z])\w+ (?:down )?(?:as|the|in as) (?:the |our |a )?(?:reviewer|owner|maintainer|contact|approver|on-?call|lead|admin|editor|assignee)\b|\b(?-i:[A-Z][a-zà-ÿ]+) (?:does|do|did) the (?:reviews?|releases?|deploys?|deployments?|support|on-?call|designs?|translations?|accounts?|billing|approvals?)\b|\bbelongs? to (?-i:[A-Z])\w+|\b(?:is|are) (?:owned|maintained|handled|reviewed|run|led|approved) by (?-i:[A-Z])", "take|took|get|got|inherit|as |owner|review|contact|approver|lead|admin|does|do |did|belongs|by "),
    Cue("decision", "decided", 1.665, r"^(?:it's |so it's )?(?:decided|agreed|settled)(?: then)?\s*[:–—]\s*\w+|\b(?:we|i) (?:stay|remain|keep) (?:on|with|at|in)\b|^(?-i:[A-Z])[\w.+-]+ (?:stays|it is|wins|goes(?: out| away)?)\b\W*$|\bgoodbye (?-i:[A-Z])\w+|\b(?:switch|change|move|migrate) to (?-i:[A-Z])[\w.+-]+[.!]?$|\blet'?s (?:serve|ship|deploy|release|get rid of|retire|leave) .{3,}", "decided|agreed|settled|stay|remain|keep|it is|goes|wins|goodbye|switch|change|move|migrate|serve|ship|deploy|release|get rid|retire|leave"),
    Cue("reference", "located", 1.491, r"\b(?:the |our |my |their )?(?:port|address|host|url|limit|timeout|deadline|go-?live|launch|release|date|budget|price|version|database|server|repo|ci|dns) .{0,80}\b(?:it'?s|is|at|to|on) .{1,40} now\b|\b(?:is|are|runs?|lives?|works?) on (?-i:[A-Z])[\w.+ -]{1,30} (?:as of|since|from) \w+", "now|as of|since|from"),
    Cue("relationship", "is", 1.55, r"\b(?-i:(?!It|This|That|We|They|He|She|The|There|Who|What|Which|One|Everything|Nothing)[A-Z][a-zà-ÿ]+) (?:took|takes|is taking|has taken|will take|'s taking) (?:[\w' -]{1,40} )?over\b|\b(?-i:(?!It|This|That|We|They|He|She|The|There|Who|What|Which|One|Everything|Nothing)[A-Z][a-zà-ÿ]+) (?:replaces|replaced|joined|left|(?:is )?now (?:owns|runs|handles|leads|maintains|does|responsible|the|our))\b|\b(?:handed|hands|handing|gave|passed) .{2,40} (?:over )?to (?-i:[A-Z])\w+", "over|replace|joined|left|now |hand|gave|pass"),
    Cue("project", "is", 1.49, r"\b(?:is|are|'s|has|have|uses?|runs?|lives?|costs?|takes?|works?|goes|happens?|sits|listens?|points?|belongs?|means?|calls?) .{0,80}\bnow\b(?=\W*$|[,;.])|\b(?:is|are|'s) now (?!(?:done|finished|complete)\b)\w+|\bnow (?:uses?|runs?|lives?|listens?|points?|goes|takes?|requires?|belongs?|handles?|costs?|sits|called|named|happens?)\b|\bno longer \w+|\b(?:don't|doesn't|isn't|aren't|won't|not|never) .{2,60} any ?more\b|\bused to (?:be|run|live|use|have|go|cost|sit)\b|\b(?:has |have |was |were |got |been |just )*(?:moved|switched|migrated|renamed|changed|bumped|raised|lowered|increased|reduced|upgraded|downgraded|postponed|pushed back|pushed|brought forward|moved up|rescheduled|reassigned|transferred|replaced|relocated|split|swapped|converted|cut|went|gone) (?:[\w'.-]+ ){0,6}?(?:to|from|by|with|into|over|until)\b|\bwe call (?:it|this|that|them|the \w+)\b|\b(?:we|they)(?:'ve| have)? (?:just |now |finally )?(?:left|ditched|retired|replaced|stopped using|moved away from|got rid of|turned off|shut down) \w+|\b(?:becomes|became|goes (?:up |down |back )?to|is up to|is down to)\b|\bas of (?:today|now|yesterday|last|this|next|monday|tuesday|wednesday|thursday|friday|january|february|march|april|may|june|july|august|september|october|november|december|\d)\b", " now|now |longer|any more|anymore|used to|moved|switch|migrat|renam|chang|bump|rais|lower|increas|reduc|upgrad|downgrad|postpon|push|brought|resched|reassign|transfer|replac|relocat|split|swap|convert|cut|went|gone|call |left|ditch|retired|stopped|got rid|turned|shut|as of|becom|became|goes|up to|down to"),
    Cue("event", "did", 1.48, r"\b(?:is|are|'s) (?:now |finally |all |already |completely |fully )?(?:done|finished|completed?|in place|live|shipped|deployed|merged|released|fixed|resolved|solved|closed|rolled out|up and running|working again|in (?:prod|production)|through|verified|sorted|ready|behind us|(?:in|out|up|over)(?=\W*$|[,;:]|\s+(?:now|since|and)\b))\b|\b(?:we|i|they|(?-i:[A-Z][a-zà-ÿ]+))(?:'ve| have| has)? (?:just |finally |already |now |also )?(?:finished|completed|shipped|released|deployed|merged|rolled out|launched|closed|published|wrapped up|delivered|renewed|rotated|signed|sent|fixed|solved|resolved|cut|pushed out|tagged|announced|paid|installed|removed|archived|turned on|enabled|set up|uploaded|translated|wrote|written|ordered|booked|bought|implemented|built|printed) \w+|\boff (?:the|my|our) list\b|\b(?:is|are|'s) (?:going out|running|up|online|working|back up|back online) again\b|\b(?:has|have) (?:now |finally |just |already )?been (?:finished|completed|done|shipped|released|deployed|merged|rolled out|launched|closed|published|fixed|resolved|delivered|renewed|rotated|migrated|added|removed|implemented|tested|reviewed|approved|signed|sent|archived|enabled)\b|\b(?:went|is|came) (?:live|through|out)\b|^(?:just |finally |also )*(?:finished|completed|shipped|released|deployed|merged|rolled out|launched|published|wrapped up|delivered|renewed|rotated|fixed|closed) (?:the|our|a|all|v?\d|\w+)|\b(?:tick|cross|check)(?:ed)? (?:off )?.{2,60} off\b|^(?:tick|cross|check) off \w+|^(?:done|finished) with \w+|\bworks (?:again|now)\b|^[^:]{4,60}: (?:done|finished|shipped|merged)\W*$", "done|finish|complete|in place|live|shipp|deploy|merg|releas|fix|resolv|solv|clos|roll|running|again|prod|through|verif|sort|ready|behind|launch|publish|wrap|deliver|renew|rotat|sign|sent|cut|push|tag|announc|paid|install|remov|archiv|turned|enabl|set up|upload|translat|wrote|written|order|book|bought|implement|built|print|going|been|out|off|works|is in|are in|'s in|is up|are up|'s up|is over|'s over"),
    Cue("identity", "named", 1.5, r"\bmy (?:full )?name is\b|\bcall me (?-i:[A-Z])|\bi go by\b"),
    Cue("health", "has", 1.5, r"\bi(?:'m| am) (?:allergic|diabetic|color-?blind|colour-?blind|dyslexic|deaf|blind|pregnant|vegan|vegetarian)\b|\bi have (?:adhd|asthma|diabetes|epilepsy|migraines|rsi|carpal)\b"),
    Cue("identity", "is", 1.4, r"\bi(?:'m| am) (?:a|an|the|based|living|from|located|responsible|in charge|new to|learning)\b(?! bit| little| fan)|\bi (?:work|live) (?:at|for|in|on|with|as|from)\b|\bmy (?:job|role|timezone|time zone|email|github|native language|birthday) (?:is|'s)\b|\bwe(?:'re| are) (?:a|an) (?:\w+ ){0,4}(?:team|company|startup|agency|shop|studio|lab)\b"),
    Cue("reference", "located", 1.45, rf"^(?:the|our|my) (?:[\w-]+ ){{0,4}}(?:{_PLACE}) (?:is|are|lives?|runs?|listens?|sits|resides|points)\b (?!not |too |very |never |always |already |still )[^.!?]*(?:\w\.\w|:\d|\bport \d|/\w|`)"),
    Cue("relationship", "is", 1.4, rf"\bmy (?:{_PERSON})(?: is|'s|,| (?-i:[A-Z]))|\b(?:is|are) (?:my|our) (?:\w+ )?(?:{_PERSON})\b|\b(?:is|are) (?:our|the|my) (?:\w+ ){{0,2}}(?:dba|owner|maintainer|reviewer|designer|sre|on-?call|contact|admin|administrator|cto|ceo|pm|product manager|tech lead|team lead|approver)\b|\bis (?:responsible for|in charge of|the one who)\b|\b(?-i:(?!It|This|That|We|They|He|She|The|There|Who|What|Which|One|Everything|Nothing|Code|Ci)[A-Z][a-zà-ÿ]+) (?:owns|maintains|reviews|signs off|approves|handles|runs|leads)\b|\bowned by\b|\b(?:ask|ping|contact|talk to|email) (?-i:[A-Z]\w+) (?:about|for|if|when|before|on)\b"),
    Cue("preference", "avoids", 1.6, rf"{_START}(?:never(?: ever)?|do not ever|don'?t ever) (?!been\b|seen\b|had\b|was\b|got\b|mind\b|heard\b|gets\b|sent\b|set\b|run on\b){_TELLS}\w+|\bi (?:hate|can'?t stand|dislike|don'?t (?:ever )?(?:like|want)|never want|do not (?:like|want))\b|\bstop (?:using|adding|doing|writing|creating|putting|asking|making|committing|running|changing|generating|saying|including)\b|^no more \w+|{_START}avoid \w+"),
    Cue("preference", "prefers", 1.6, rf"{_START}always {_TELLS}(?!been\b|fail\b|happen\b|the\b|a\b|an\b|in\b|on\b|there\b)\w+|\b(?:from now on|going forward|from here on|henceforth|as a (?:general )?rule|by default,? (?:you|we|use|please)|for all future|every time (?:you|we)|whenever (?:you|we)|each time (?:you|we))\b|(?:^|[,.] )in (?:the )?future,? |\bin (?:the )?future,? (?:please|always|never|use|don'?t|you|we should)\b|\bi(?:'d| would)? (?:really |much |strongly |generally |usually |also |always )?(?:prefer|rather(?! than))\b|\bmy preference\b|\bi (?:really |also )?(?:like|love) (?:when|it when|to|my|the|short|small|clear|concise|simple|explicit|having)\b|\bi (?:always )?(?:want|expect) (?:all|every|each|any|you to always|you to never|you always)\b|\bmake sure (?:you|to|we) (?:always|never)\b"),
    Cue("preference", "requires", 1.6, r"(?:^|[,;:.]\s*|\bplease |\balso |\bto )(?:remember|keep in mind|bear in mind|don'?t forget|note (?:that|the|our)\b|note down|make a note|take note|memori[sz]e|save (?:this|that|it) (?:to|in|for))\b(?! when| how we)"),
    Cue("habit", "did", 1.2, r"\bi (?:usually|tend to|normally|generally|typically|often) \w+|\bi always \w+|\bevery (?:morning|evening|monday|tuesday|wednesday|thursday|friday|week|sprint|night)\b|\bon (?:mondays|tuesdays|wednesdays|thursdays|fridays|weekends)\b"),
    Cue("decision", "decided", 1.65, r"\blet'?s (?:go|stick|move forward|settle|start) (?:with|for|on)\b|\blet'?s (?:use|keep|switch to|drop|adopt|standardi[sz]e|replace|defer|postpone|park|pause|shelve|skip|not use|not add|avoid)\b|\b(?:we|i|we've|i've|we have|i have) (?:have |just |already |finally )?(?:decided|chose|chosen|settled on|agreed|opted|picked)\b|\b(?:we'll|we will|we're going to|we are going to|we're gonna|i'll|i will) (?:go with|use|keep|stick with|stay on|stay with|switch to|move to|migrate to|support|drop|adopt|host|deploy)\b|\b(?:go|going|went) with (?:option|the|a|an|[a-z`]|\w+ because)|\b(?:we|i)(?:'re|'m| are| am)? (?:go|going|use|stay|stick|keep|take|build|host|ship|write|store|index)(?:ing)? .{2,80} (?:because|instead of|rather than)\b|\b(?:the )?decision(?: is|:| was| to)\b|\bwe(?:'re| are) (?:standardi[sz]ing|moving|migrating|switching|dropping|deprecating)\b|\binstead of \w+.* because\b"),
    Cue("preference", "uses", 1.5, r"\b(?:answer|reply|respond|write|talk|speak)(?: (?:to )?me)? in (?:french|english|german|spanish|italian|portuguese|dutch|japanese|chinese)\b|^(?:please )?(?:use|write|prefer|run|name|put|keep|call|format|install|target|import|store|commit|open|answer|reply|respond|speak|log) .+(?:,? (?:and )?not |\binstead of\b|\brather than\b).+|^(?:please )?prefer .+ (?:over|to) .+|\buse \S+(?: \S+){0,3},? not \S+|\buse \S+(?: \S+){0,3} instead of\b"),
    Cue("preference", "avoids", 1.4, r"(?:^|[,;:.–—-]\s*|\b(?:please|and|but|so|also)\s+)(?:don'?t|do not) (?:use|add|write|create|commit|push|touch|change|modify|edit|delete|remove|run|mock|import|install|include|put|ask|explain|generate|call|rename|reformat|format|refactor|make|hardcode|hard-code|log|print|skip|merge|deploy|rebase|force|guess|assume|introduce|rely|bump|squash|amend|mention|leave|start|over-?engineer|apologi[sz]e|summari[sz]e)\b"),
    Cue("constraint", "requires", 1.4, r"\b(?:must(?:n'?t| not)?|has to|have to|needs? to (?:support|work|run|stay|be|remain|pass|handle|keep)|is not allowed|are not allowed|isn'?t allowed|not permitted|forbidden|is required|are required|cannot (?:use|exceed|depend|change|be)|can'?t (?:use|exceed|depend|change|be)|at most|at least|no more than|only (?:support|supports|use|allow|allows|run|runs)|deadline|due (?:on|by)|budget|limited to|compliance|gdpr|hipaa)\b"),
    Cue("lesson", "learnt", 1.495, r"\b(?:root cause|turns? out|turned out|the (?:actual |real |underlying )?(?:problem|issue|bug|culprit|cause|reason|trick|catch|fix) (?:is|was))\b"),
    Cue("lesson", "learnt", 1.4, r"\b(?:gotcha|careful|beware|watch out|be aware|heads[- ]up|fyi|caveat|known issue|pitfall|lesson|the hard way|learned that|learnt that)\b"),
    Cue("reference", "is", 1.4, r"^(?:no|nope|wrong|actually|not quite|incorrect|sorry)\b[,.:;!]? .*\b(?:is|are|was|were|it's|that's|should be|lives?|runs?|uses?|called|named|means)\b|\b(?:that|this)(?:'s| is) (?:wrong|incorrect|not (?:right|correct|true))\b.*\b(?:is|are|should|uses?|it's)\b|\b(?:you'?re|you are) wrong\b|\bi meant\b|\bcorrection:|,? not \S+$"),
    Cue("procedure", "runs", 1.45, r"\bto (?:build|run|deploy|test|release|start|install|lint|format|migrate|debug|reset|seed|publish|launch|connect|reproduce|regenerate|generate|set up|roll back|restart|benchmark|verify)\b.*(?:\b(?:run|use|do|call|execute|type|ssh|open|go to|you need)\b|:\s*`|`)|\b(?:run|use|with|via|execute) `[^`]+`.* (?:to|before|after|for|when|instead)\b|\b(?:we|you) (?:build|run|deploy|test|release|lint|publish|start) (?:\w+ ){0,6}(?:with|using|via|through|from|by)\b|\b(?:deploys?|releases?|builds?|tests?|migrations?) (?:are|is|go|goes|run|runs|happen|happens) (?:\w+ ){0,3}(?:with|using|via|through|from|by|on)\b"),
    Cue("reference", "located", 1.3, rf"\b(?:the|our|my) (?:[\w-]+ ){{0,4}}(?:{_PLACE}) (?:is|are|lives?|runs?|listens?|sits|resides|points|can be found|uses)\b|\b(?:is|are) (?:hosted|located|stored|deployed|documented|defined|kept|running|published|mounted|available) (?:at|in|on|under|behind|to)\b(?! your\b| my\b)|\b(?:lives?|listens?|resides?|sits) (?:at|in|on|under|behind)\b|\b(?:runs|running) (?:at|on|behind|in) (?!your\b|my\b|that\b|this\b|it\b)"),
    Cue("goal", "plans", 1.3, r"\b(?:todo|to-do|next steps?|next up|follow[- ]?ups?|still (?:need|needs|missing|open|to do)|remaining|left to do|later (?:we|i|on we)|remind me|tomorrow|next (?:week|month|sprint|time)|for later|in a (?:later|future|follow-up|separate) (?:pr|session|commit|step|issue)|open (?:question|item|issue|point)s?|not (?:yet )?(?:done|finished|implemented)|eventually|the (?:goal|plan|aim|objective) is|we (?:plan|aim|intend|hope) to|i(?:'m| am) planning|i plan to|milestone|roadmap)\b"),
    Cue("project", "is", 1.15, r"^(?:our|the new) [^.?]{2,60}? (?:is|are) (?!broken|slow|failing|down|not\b|still|too|very|so\b|a mess|fine|ok\b|good|bad|red\b|green)\w"),
    Cue("project", "uses", 1.1, r"\b(?:we|our (?:\w+ ){0,2}\w+|this (?:project|repo|repository|service|app|codebase|package|library)|the (?:project|repo|repository|service|app|application|backend|frontend|codebase|ci|pipeline|api)) (?:\w+ly |all |only )?(?:use|uses|run|runs|support|supports|target|targets|depend|depends|require|requires|rely|relies|follow|follows|store|stores|ship|ships|deploy|deploys)\b|\b(?:this|the|our) (?:project|repo|repository|service|app|codebase|package|library|backend|frontend) (?:is|has|needs)\b|\bwe are on \w+"),
)

NOTED = (
    Cue("lesson", "causes", 1.6, r"\b(?:root cause|culprit|the (?:actual |real |underlying |core |main )?(?:problem|issue|bug|cause|reason) (?:is|was|here|turned)|turns? out|turned out|caused by|the (?:failure|error|crash) (?:is|was|comes|came)|this (?:happens|happened|fails|failed|breaks|broke) because|fails? because|failed because|broke because)\b"),
    Cue("lesson", "learnt", 1.4, r"\b(?:gotcha|caveat|pitfall|beware|careful|important(?:ly)?:|note(?: that|:)|watch out|be aware|known issue|limitation|workaround|quirk|edge case|lesson|learned|takeaway|key (?:insight|finding|point|observation)|trade-?off|downside|race condition|breaking change|silently|unexpectedly|contrary to|pre-existing|misleading|unlike)\b"),
    Cue("lesson", "fails", 1.35, r"\b(?:fail(?:s|ed)?|crash(?:es|ed)?|hangs?|hung) (?:with|on|when|for|in|after|under)\b|\breturn(?:s|ed) [45]\d\d\b"),
    Cue("lesson", "fixes", 1.3, r"\b(?:fix(?:ed|es)? (?:by|for|is|was|the|a|an|it)|fix:|the (?:fix|solution) (?:is|was|:)|resolved (?:by|the)|solution:|fixed:|bug (?:\d+|fix)|regression)\b"),
    Cue("decision", "decided", 1.4, r"\b(?:decid(?:e|ed|ing)|decision|chose|chosen|opted|settled on|agreed|approach(?: is|:)|design(?: is|:)|rationale|instead of|rather than|we(?:'ll| will) (?:use|keep|go)|going with|rejected|trade-?offs?|recommend(?:ed|ation)?|prefer(?:red)?|why:|by design|intentional(?:ly)?|deliberate(?:ly)?)\b"),
    Cue("constraint", "requires", 1.2, r"\b(?:must(?: not|n't)?|requires?|required|cannot|can't|can only|only (?:when|if|works?|the|for)|never|always|not allowed|has to|guarantees?|invariant|constraint|limit(?:ed|s)?|convention|should (?:not|never|always|be))\b"),
    Cue("goal", "plans", 1.2, r"\b(?:todo|next steps?|follow[- ]?ups?|remaining|still (?:needs?|missing|open|pending|to)|pending|not (?:yet )?(?:implemented|done|tested|covered|addressed|handled|wired)|future (?:work|improvement|pr)|left (?:to do|open)|deferred|out of scope|unresolved|open (?:item|question|issue)s?|tech(?:nical)? debt|to be done|left as|(?:done|do|come|comes|handled?|added?|fix(?:ed)?) (?:\w+ )?later)\b"),
    Cue("procedure", "runs", 1.1, r"\b(?:to (?:build|run|deploy|test|release|start|install|lint|format|migrate|debug|reproduce|regenerate|verify|enable|disable|use)\b|(?:run|execute|running) `[^`]+`|^use `|usage:|command:|how to)"),
    Cue("reference", "located", 1.0, r"\b(?:is|are) (?:defined|stored|located|kept|written|read|saved|documented|implemented|hosted|configured|set|handled|registered|called) (?:in|at|on|under|by|from|to|via)\b|\band (?:stored|kept|saved|hosted|written|published) (?:in|at|on|under|to)\b|\blives? (?:in|at|under)\b|https?://"),
    Cue("event", "did", 0.9, r"^(?:i(?:'ve| have)? )?(?:added|fixed|updated|created|implemented|removed|refactored|changed|moved|renamed|replaced|extracted|wired|simplified|merged|reverted|migrated|deleted|introduced|moved|converted|documented|deployed|released|committed|pushed|all \w+ (?:tests )?pass)|\b(?:now|no longer) \w+s?\b|\bsummary of (?:the )?changes\b|\b(?:were|was|has been|have been) (?:added|fixed|updated|created|implemented|removed|refactored|changed|moved|renamed|replaced|merged|deprecated)\b"),
    Cue("project", "is", 0.7, r"\b(?:because|since|so that|means|ensures?|allows?|prevents?|causes?|returns?|handles?|creates?|uses?|calls?|checks?|reads?|writes?|stores?|contains?|expects?|supports?|triggers?|depends?|defaults?|falls? back|skips?|ignores?|overrides?|delegates?|works? by|responsible for|when|if)\b"),
)

OPENERS = (
    r"(?:so|ok|okay|well|great|good|perfect|excellent|right|alright|sure|yes|yeah|yep|yup|no|nope|now|then|and|but|also|anyway|"
    r"hmm+|oh|ah|hey|hi|hello|thanks|thank you|please note|indeed|of course|got it|done|nice|cool|awesome|interesting|actually|"
    r"wait|basically|honestly|note that|great question|good (?:point|question|call|catch|idea|news)|you'?re (?:absolutely )?right|"
    r"makes sense|sounds good|that makes sense|i see|(?:that|this)(?:'s| is) (?:wrong|incorrect|not (?:right|correct|true|it))|you(?:'re| are) wrong|as you said|for the record|fyi|btw|by the way|i think(?: that)?|i guess|"
    r"i believe(?: that)?|in fact|to be clear|to summari[sz]e|in summary|in short|overall|finally|first|additionally|furthermore|"
    r"moreover|however|therefore|thus|hence|meanwhile|unfortunately|sorry|please|just|still|instead|important|looks good|"
    r"all good|lgtm|(?:that|it)(?:'s| is) done|never ?mind|scrap that|scratch that|strike that|forget that|forget it|change of plans?|on second thoughts?|(?:i|we)(?:'ve| have)? changed (?:my|our) minds?|update|good news|bad news|quick update|heads up|small correction|correction|understood|noted|agreed|correct|exactly|absolutely|definitely|perfect timing|no problem|fair enough)"
)

NARRATION = (
    r"(?:first,? |next,? |now,? |then,? |so,? |and |but |ok(?:ay)?,? |good[,.]? |before .{3,60}, )?(?:let me|let's (?:check|look|see|run|verify|take|start|first|now|try|find|read|examine|dig|continue|"
    r"explore|trace|debug|update|add|fix|write|create|do)|i'?ll (?!always|never)|i will (?!always|never)|i am going to|i'?m going to|i'?m (?:now )?(?:checking|running|reading|looking|adding|updating|writing|fixing|working)|"
    r"i need to|i should|i want to|i can see|i see|i now|i have (?:a|all|the|enough|what)|i understand|i'?ve (?:read|looked|reviewed|got|seen|confirmed)|time to|looking at|checking|running|reading|searching|starting|working on|"
    r"now (?:i|let|the|that|for|we|to|add|update|fix|run|check|read|write|create|implement|wire|in|it|all|both|build|commit|verify)\b|proceeding|moving on|here(?:'s| is| are) (?:the|a|my|what|how)|"
    r"would you like|do you want|want me to|shall i|should i|ready to|feel free|let us|i'?m using the|(?:[^.:]{0,40}: )?(?:i )?(?:invoked|used|loaded) (?:the )?[\w:-]+ skill|.{0,60}\boption [a-f1-9]\b|(?:my |the |first |second |third |next |last |another )*questions?:|(?:pros|cons|legend):|for [^,.]{3,60}, i(?:'ll| need| will| can)\b|(?:option )?\d?\.? ?(?:subagent-driven|parallel session|inline execution)|plan complete|using the [\w:-]+ skill|if you need specific details|resume directly|if the last task|brainstorm|hold on|one moment|give me|"
    r"this session is being continued|please continue|continue (?:with|the|from)|the user (?:said|asked|wants me|then)|happy to|if you(?:'d| would) like)"
    ,
    r"(?:all|everything|both|the) (?:\w+ ){0,2}(?:looks?|is) (?:good|clean|fine|correct|ready|clear|green)\b.{0,40}$",
    r"(?:no|zero) (?:errors?|issues?|problems?|failures?)\b.{0,25}$",
    r"(?:all|the) (?:\w+ ){0,3}(?:tests?|checks?|lints?|linting) (?:\w+ ){0,2}(?:pass|passed|passes|green)\b.{0,40}$",
)

DANGLING = (
    r"(?:it(?! turn(?:s|ed) out)|this|that|these|those|they|he|she|them|its|their|his|her|both|neither|either|such|one|the (?:former|latter|above|"
    r"following|same|other|second|third|first one))\b(?!['’]?s? (?:project|repo|repository|codebase|session|service|app|library|package|machine|"
    r"team|company|branch)\b)",
    r"(?:here|there)(?:'s| is| are)\b",
    r"(?:must|should|needs?|has|have|is|are|was|were|can|could|will|would|does|did)\b",
    r"(?:option )?(?:\d|[a-d])\)? (?:does|is|seems|sounds|looks|would|for)\b",
)

AGREEMENT = (
    r"(?:yes|yeah|yep|yup|y|ok|okay|sure|agreed|correct|exactly|right|absolutely|definitely|go ahead|go for it|do it|do that|"
    r"sounds good|looks good|perfect|great|please do|lgtm|approved|let'?s do (?:it|that)|that works|works for me|fine|good)"
    r"(?:[,.! ]+(?:yes|please|go ahead|do it|do that|go for it|let'?s do (?:it|that)|sounds good|thanks|thank you|with that|sure|"
    r"that works|that's (?:right|fine|good|correct)|go))*[.! ]*",
)

CHOICE_QUESTION = (
    r"(?:so,? |ok,? )?(?:should (?:we|i|it)|shall (?:we|i)|do you (?:want|prefer) (?:to|me to)?|would you (?:like|prefer) (?:to|me to)?|"
    r"is it (?:ok|okay|fine) (?:to|if (?:we|i))|(?:are you )?(?:ok|okay|fine|good) (?:to|with)|can (?:we|i)|want (?:me )?to) "
    r"(?=(?:always |never |just |simply |instead )?(?:use|using|keep|keeping|go with|switch|make|support|store|replace|drop|default|treat|call|name|"
    r"adopt|stick|put|require|allow|return|rename|move|migrate|target|deprecate|remove|only|be)\b)",
)

ORDINALS = {
    "first": 1, "1st": 1, "one": 1, "second": 2, "2nd": 2, "two": 2, "third": 3, "3rd": 3, "three": 3, "fourth": 4, "4th": 4,
}  # fmt: skip

PRONOUNS = (
    "it its this that these those they them their he him his she her hers i me my mine you your we us our here there thing "
    "things stuff something anything one ones"
)

GENERIC_HEADINGS = (
    r"(?:the |my |a |key |all |short |final |main |brief |detailed |technical |important |what |full )*(?:summary|overview|changes?(?: made)?|"
    r"files? and code sections?|technical concepts?|concepts?|problem solving|errors? and fix(?:es)?|primary request and intent|"
    r"user messages?|current work|current state|results?|analysis|findings?|details?|notes?|background|context|explanation|files|"
    r"differences?|points?|observations?|status|done|conclusion|answer|features?|what changed|how it works|my analysis|examples?|"
    r"files? (?:modified|changed|created|to modify)|modified files|tl;?dr|recap|report|review|assessment|(?:(?:first|second|third|next|last) )?questions?|options?|pros|cons)",
)

SOFT_OPENERS = ("so|hmm+|erm|uh|oops|whoops|argh|wow|and|but|then|also|yeah|yes|yep|ah|oh|ok|okay|well|nah|please|i think that|i think",)

FOUND = (
    Cue("goal", "plans", 1.7, r"^(?:[^:.]{0,40}: )?(?:still (?:open|missing|to do|to be done)|open (?:items?|points?|questions?)|left (?:open|to do)|remaining(?: work| tasks?| items?)?|pending(?: tasks?)?|next steps?|next up|to-?do|not (?:yet )?done|follow[- ]?ups?)\b[^:.]{0,30}:|\b(?:is|are) (?:still (?:open|missing|pending|to do)|not (?:yet )?(?:implemented|covered|tested|translated|documented|handled|supported))\b|\bstill (?:needs?|lacks?|has no|have no|has to|have to)\b"),
    Cue("lesson", "causes", 1.6, r"\broot cause\b|\bculprit\b|\bthe (?:actual |real |underlying |core )(?:problem|issue|bug|cause|reason)\b|\bthe (?:problem|bug|cause|reason)(?: of [^.:]{1,60})? (?:is|was)\b|\b(?:was|were|is|are) caused by\b|\bturn(?:s|ed) out\b|\b(?:fail|break|crash|hang|happen)(?:s|ed)? because\b|\b(?:broke|hung) because\b|\bcame from\b"),
    Cue("lesson", "fixes", 1.6, r"\bthe (?:fix|solution|workaround) (?:is|was)\b|\b(?:fix|workaround|solution):|\b(?:fixed|solved|resolved) (?:it )?(?:by|with)\b"),
    Cue("lesson", "learnt", 1.5, r"\b(?:gotcha|caveat|pitfall|beware|careful|watch out)\b|\bsilently\b|^(?:note|important|be aware)\b(?: that|:)"),
    Cue("procedure", "runs", 1.5, r"^to (?:build|run|deploy|test|release|start|install|migrate|seed|reset|publish|reproduce|regenerate|roll back|restore|verify)\b.*`|^(?:build|run|deploy|test|release|start|install|migrate|seed|restore)\b[^`]{0,60} (?:with|using|via|by running) `|^(?:run|use) `[^`]+` (?:to|before|after|for|when|from)\b"),
)

FOLLOWS = (
    r"(?:because|since|so|therefore|which|this|that|it|they|the (?:fix|solution|workaround)|fix|fixed|solved|otherwise|hence|"
    r"instead|now)\b",
)

REQUESTS = (
    r"(?!.*\b(?:backlog|to-?do list|next (?:week|time|sprint|month)|tomorrow)\b)(?:(?:please|can you|could you|would you|will you|i'?d like you to|i (?:want|need) you to|i'?d like to|let'?s|go ahead and|try to|and|also|now|then|just|hey|hi),? )*"
    r"(?:add|fix|make|set up|start|stop|help|look|have a look|take a look|check|run|rerun|write|rewrite|create|implement|plan|show|find|rename|change|update|"
    r"remove|delete|commit|push|pull|review|refactor|move|explain|tell|give|build|deploy|test|debug|investigate|open|close|merge|rebase|generate|"
    r"draft|convert|translate|summari[sz]e|list|analy[sz]e|read|finish|continue|clean|improve|tighten|brainstorm|tackle|do|go|put|get|install|upgrade|split|revert)\b"
    r"(?! (?:is|are|was|were|has|fails?|failed|of)\b)",
)

ERRANDS = (
    r"(?:(?:please|can you|could you|would you|i'?d like you to|i want you to|quick(?: question| one)?:?|and|also|now|hey|hi|hello),? )*"
    r"(?:write|compose|tell|name|list|convert|translate|calculate|compute|define|explain|describe|recommend|suggest|give|"
    r"sing|draw|spell|recite|rhyme|summari[sz]e|what(?:'s)?|who(?:'s| is| was)?|when|where|why|which|"
    r"how (?:do|does|did|many|much|far|old|long|tall|big|to))\b",
)

OURS = (
    r"\b(?:our|we|us|these|this|here|repo\w*|project|code\w*|files?|functions?|modules?|tests?|branch|commits?|builds?|deploy\w*|"
    r"server|service|api|endpoints?|bugs?|errors?|fix\w*|config\w*|database|db|schema|readme|docs?|pr|tickets?|release|scripts?|migrations?|"
    r"class|components?|apps?|pages?|buttons?|changelog|docstrings?|logs?|queries|query|users?|customers?|plan|issue|design|package|plugin)\b|"
    r"[`/\\_{}]|\w\.\w",
)

# "The implementation is complete" names nothing that another conversation would know.
_NAMELESS = r"(?!(?:implementation|tasks?|work|plan|fix(?:es)?|changes?|feature|code|files?|tests?|build|review|set ?up|phase|step|migration|update|refactor(?:ing)?|document|pr|merge|branch)(?: \w+)? (?:is|are|has|have)\b)"

REPORTED = (
    Cue("goal", "plans", 1.7, r"^(?:the|your|our|`)[^,;]{3,80} (?:is|are) (?:broken|failing|down|open) again\b|^(?:the|your|our|`)[^,;]{3,80} (?:is|was|isn't|wasn't) (?:not )?(?:actually |really )?(?:done|finished|fixed|resolved) after all\b|^(?:i|we) (?:couldn't|could not|haven't|have not|didn't|did not) (?:yet )?(?:been able to )?(?:finish|complete|get to|manage|deploy|release|ship|migrate)\w* (?:the|your|our|to|`)|^(?:i've |i |we )?reopened (?:the|your|our|#|`)"),
    Cue("decision", "decided", 1.7, r"^(?:as (?:agreed|you said|discussed),? )?(?:we|i)(?:'re|'ve| are| have)? (?:won't (?:do|build|ship|add)|not going to (?:do|build|ship|add)|dropped|abandoned|cancelled|canceled|given up on|gave up on|shelved) (?:the|your|our|`)|^(?:dropped|abandoned|cancelled|shelved) (?:the|your|our|`)\S+ \S+|^(?:the|your|our) [^,;]{3,80} (?:is|are|was|were) (?:cancelled|canceled|abandoned|shelved|dropped|off the (?:table|list))\b"),
    Cue("event", "did", 1.6, rf"^(?:i|we)(?:'ve| have)? (?:now |just |also )?(?:finished|completed|released|deployed|shipped|rolled out|published|migrated|renewed|rotated|launched) (?:the|your|all|our|v?\d|`)|^(?:the|your|our) {_NAMELESS}[^,;]{{3,80}} (?:is|are) (?:now |all |fully |finally )?(?:done|finished|completed?|in place|live|in production|deployed|merged|released|shipped|migrated|rolled out|up and running|back online|working again)\b(?! (?:when|once|if|only|until|before|after|by|via|through|in the|to the|with))|^(?:the|your|our) {_NAMELESS}[^,;]{{3,80}} (?:has|have) been (?:now |fully |successfully )?(?:finished|completed|deployed|merged|released|shipped|rolled out|published|renewed|rotated)\b|^(?:released|deployed|shipped|published|finished|completed|rolled out) (?:the|your|v?\d|`)\S* ?\S+|^(?:the|your|our) [^,;:]{{3,60}} (?:went (?:live|through)|works again)\b"),
)

CONDITIONS = (
    r"^\W*(?:\w{1,6},? )?(?:it|that|this|everything|all)(?:'s|'ve| is| has| was| works| went)\b|(?:^|[,;:] ?|\b(?:and|but|so|or|only) )(?:if|when(?:ever)?|once|until|unless|as soon as|after|before|whether)\b|\b(?:make sure|ensure|check|see|know|sure|tell me|ask|wait|verify|wonder) (?:\w+ )?(?:that|if|whether|when|until|once)\b|^(?:make sure|ensure|check|verify)\b|\blet me know\b|\b(?:should|must|will|would|might|to|needs? to|has to|have to|'ll|not|never|isn't|aren't|hasn't|haven't) (?:\w+ )?(?:be |been )?(?:\w+ )?(?:done|finished|complete\w*|merged|released|shipped|deployed|fixed|resolved|in|live|closed|published|sent|signed|removed|installed|through|out|ready)\b",
)

REPORT_WORDS = "done finish complete place live deploy merge release ship migrated rolled renewed rotated launched published again after reopen won't drop abandon cancel shelved gave given couldn't haven't didn't list works online running"

SUPPOSES = (
    r"^(?:let'?s (?:see|check|look|find)|let me|(?:it )?(?:looks|seems|sounds) (?:like|as|to)|show me|what(?:'s| is| are| do| did| was)\b|who(?:'s| is)? \w+|which\b|when (?:do|did|is|was|will)\b|where\b|how (?:do|did|is|was|many|much)\b)",
    r"^(?:(?:so|ok|hmm+|well|and|but|also|or),? )*(?:maybe|perhaps|what if|what about|how about|should (?:we|i)\b|shall (?:we|i)\b|could (?:we|i|you)\b|can (?:we|i|you)\b|would (?:it|we|you)\b|why (?:not|don't)|do (?:we|you)\b|does (?:it|the)\b|did (?:we|you)\b|is (?:it|there)\b|are (?:we|there)\b|any (?:idea|chance)|suppose|imagine|i wonder|i(?:'m| am) (?:not sure|wondering|thinking|considering|tempted)|i was (?:thinking|wondering|considering)|i(?:'m| am) (?:un)?sure (?:if|whether)|not sure (?:if|whether|about)|thinking about|tell me (?:if|whether|when))",
    r"\b(?:we|one|i|you) (?:could|might) (?:also |perhaps |maybe |just |always |even )?\w+(?! not\b)",
    r"\b(?:maybe|perhaps) (?:we|it|i|you|the|a|use|later|one day)\b|\bwhat do you think\b|\bwould it be\b|\b(?:no idea|don't know|not sure|unsure) (?:if|whether|what|how|why|who)\b|\bor (?:should|shall|maybe|rather)\b|\bhe (?:says|thinks) we (?:could|should)\b|\bif we (?:ever|had|were|used|moved|switched)\b|\bi (?:wouldn't|would not) mind\b",
)

_LASTS = r"(?!.*\b(?:ever|from now on|always|again|without|unless|until|before|after|in (?:future|the future|general)|by hand|generated)\b)"

PASSING = (
    rf"{_LASTS}(?:^|[,;:.–—-] ?|\b(?:please|and|but|so) )(?:don'?t|do not) (?:change|touch|modify|edit|fix|do|delete|write|commit|push|run|start|rename|add|build|deploy|move|merge) (?:anything|any ?more|any of|it|that|this|these|those|them|the (?:repo\w*|code|files?|rest|others?)|yet|now|more)(?:\b(?!\w)(?! (?:directly|manually|in prod\w*|on prod\w*)))",
    r"^(?:only |just )(?:look|reading|read|a look|tell me|explain|an analysis|a draft|staging|locally|here)\b.{0,80}$",
    r"^(?:see you|talk to you|bye\b|good ?night|have a (?:nice|good|great)|until (?:tomorrow|monday|next)|speak (?:soon|tomorrow))",
    r"^(?:no idea|no thanks?|no worries|never was a problem|not sure)\b[^.]{0,40}\.?$",
    r"^(?:next week|tomorrow|later|next month|next time|some day|not (?:now|today|yet|this week))(?: or so| maybe| perhaps| then)?\W*$",
)

POINTS_BACK = (
    r"^(?:let'?s |we |we'll |we will |please |i'd |then |now |just )*(?:put|move|set|make|call|run|host|keep|change|do|leave|bump|raise|lower|push|name|rename|use|moved|changed|renamed|call|have|hold|reduce|increase|limit) (?:it|that|this|them|those) (?:on|to|at|in|into|under|from|by|back|with|every|off|[`\d(]|(?-i:[A-Z])|instead|[\w-]+ (?:now|instead|from now))",
    r"^(?:reopen|re-open|close) (?:it|that|this)\b|^(?:not|isn't|still not|still) (?:done|finished|fixed|broken|working)\b",
)

SUBJECTS = (
    r"^(?P<subject>(?:the|our|my) (?:[\w'/-]+ ){0,4}?[\w'/-]+) (?:is|are|was|were|runs?|ran|listens?|lives?|uses?|has|have|will|goes|takes?|points?|sits|costs?|starts?|belongs?|must|should|needs?|happens?|moved|works?|fails?|broke|keeps?|now|still)\b",
    r"\b(?:put|set|moved|changed|configured|renamed|scheduled|switched|bumped|raised|lowered|named|deployed|hosted|migrated|run|called|finished|fixed|added|start(?:ed)?|host|use|implemented) (?P<subject>(?:the|our|your|a|an) (?:[\w'/-]+ ){0,3}?[\w'/-]+)(?= (?:to|on|at|in|for|from|with|under|by|after|via|every)\b|[.,;:!]|$)",
)

STILL_OPEN = (
    r"(?:(?:what(?:'s| is) )?still (?:open|missing|to do|to be done|pending|outstanding)|open (?:items?|points?|questions?|tasks?|issues?)|(?:there(?:'s| is| are) )?(?:still |only )?(?:one|two|three|a few|some) (?:more )?(?:things?|tasks?|items?|points?|steps?) (?:left|open|missing|remaining)|what(?:'s| is) left(?: open| to do)?|left (?:open|to do)|remaining(?: work| tasks?| items?| steps?| todos?| issues?)?|pending(?: tasks?| items?| work)?|(?:optional |suggested |recommended |possible |my |the |immediate )*next steps?|next up|to[ -]?do(?:s| list| next| later)?|not (?:yet )?done(?: yet)?|not (?:yet )?(?:finished|implemented)|outstanding(?: work| items?| tasks?)?|follow[- ]?ups?(?: work| tasks?| items?)?|deferred|for later|what remains)\b[^:.]{0,30}",
)

SETTLED = (
    r"(?:^|[–—(:\[-]\s*\**)(?:already )?(?:completed?|done|finished|resolved|merged)\b|[✅✓☑✔]|^(?:no|none|nothing|n/a|not applicable)\b|\bno (?:pending|remaining|open|further|explicit) (?:tasks?|work|items?|action)\b|\bnone (?:explicitly )?(?:requested|pending|remaining)\b",
)

SEVERITIES = (
    ("critical", r"\b(?:data ?loss|lost (?:all |the |our |some |customer |user )*(?:data|orders|payments|customers|backups?|records|invoices|messages)|(?:prod(?:uction)?|the site|everything|the (?:whole )?(?:system|service|cluster|shop|platform)) (?:was|is|went|goes|were) (?:all )?down|took (?:down )?(?:prod|production|the (?:site|cluster|platform|whole))|(?:wiped?|erased?|deletes?|deleted|truncate[sd]?|overwr(?:ote|ites?)|destroy(?:s|ed)?|corrupt(?:s|ed)?) (?:\w+ ){0,3}(?:prod(?:uction)?|database|db|data|customers?|users?|tables?|backups?|orders|invoices|archives?|records|repo(?:sitory)?|index|volume|bucket)|(?:prod(?:uction)?|customer|user|live) (?:data(?:base)?|tables?|records) (?:was|were|got|is|gets) (?:wiped|erased|deleted|lost|corrupted|truncated)|security (?:breach|hole|incident)|breach(?:ed)?|(?:secrets?|keys?|tokens?|passwords?|credentials|private keys?|customer data|personal data) (?:\w+ ){0,3}(?:leaked|leaks?|exposed|published|were public|ended up in|in (?:the )?logs?)|leak(?:s|ed|ing)? (?:\w+ ){0,3}(?:secrets?|keys?|tokens?|passwords?|credentials|customer|personal|user)|remote code execution|sql injection|ransom\w*|never ever|irreversibl[ey]|unrecoverable|cannot be (?:undone|recovered|restored)|(?:charged|billed|paid|refunded|debited) (?:\w+ ){0,4}(?:twice|double|double d|again)|double[- ](?:charged?|billed|billing|paid|payments?)|cost us (?:\w+ ){0,3}(?:[$€£]|thousand|money|\d+ ?k|customers?|a customer|the contract)|[$€£] ?\d[\d,.]*k? (?:lost|gone|wasted)|lost (?:us )?[$€£]|legal|gdpr (?:breach|violation|fine)|lawsuit)\b"),
    ("high", r"\b(?:outages?|downtime|incident|(?:was|were|went|is) down (?:for|all|the|during)|cost (?:us|me|the team) (?:\w+ ){0,4}(?:hours?|days?|weeks?|night|weekend|afternoon|morning|sprint)|(?:lost|wasted|spent|burned|took (?:us|me)) (?:\w+ ){0,4}(?:hours|days?|weeks?|night|weekend|afternoon)\b|(?:whole|entire|all) (?:night|weekend|day|week)|never again|(?:breaks?|broke|blocks?|blocked|took down|crash(?:es|ed)?|kills?|killed|stops?|stopped) (?:\w+ ){0,3}(?:prod(?:uction)?|deploy\w*|release|checkout|payments?|login|everyone|all (?:users|customers|builds)|the (?:whole|entire)|logins?|sign-?ups?)|rolled? back (?:the |a )?(?:release|deploy\w*|prod\w*)|security|vulnerab\w+|deadlock\w*|race condition|silently (?:drops?|lost|loses?|deletes?|discards?|corrupts?|skips? (?:payments?|orders?|rows|records))|in production|customers? (?:complained|noticed|were|lost|could not|couldn't)|money|invoices? (?:\w+ ){0,3}wrong|critical(?:ly)?|dangerous|severe|serious|disaster|catastroph\w+|nightmare|the hard way|memory leak|oom(?:-killed)?|out of memory|data corruption|must never)\b"),
    ("low", r"\b(?:minor|small (?:gotcha|thing|quirk|trap|detail)|tiny|cosmetic|nit(?:pick)?|harmless|just (?:a )?(?:noise|warning|cosmetic)|only a warning|slightly|not a big deal|no big deal|nothing serious|little (?:gotcha|quirk|trap)|annoying but|typo|formatting|fyi|handy|trick|tip:)\b"),
)

ENGLISH = LanguageCues(
    stated=STATED, noted=NOTED, found=FOUND, follows=FOLLOWS, errands=ERRANDS, requests=REQUESTS, ours=OURS, openers=(OPENERS,), soft_openers=SOFT_OPENERS,
    narration=NARRATION, dangling=DANGLING, agreement=AGREEMENT, choice_question=CHOICE_QUESTION, chosen="Decided", ordinals=ORDINALS,
    pronouns=PRONOUNS, generic_headings=GENERIC_HEADINGS, reported=REPORTED, report_words=REPORT_WORDS, conditions=CONDITIONS, supposes=SUPPOSES, passing=PASSING, points_back=POINTS_BACK, subjects=SUBJECTS,
    still_open=STILL_OPEN, open_label="Still open:", settled=SETTLED, severities=SEVERITIES,
)  # fmt: skip
