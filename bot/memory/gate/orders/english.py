"""Orders in English."""

from bot.memory.gate.orders.frame import CLAUSE, Orders, any_of, one_of, words_of

_BOT = r"(?:(?:the |this |your |our )?(?:bot|assistant|chatbot|ai|persona|language model|llm|ai model))"
_RULES = one_of(
    "instructions?  rules?  prompts?  guidelines?  directives?  commands?  orders?  restrictions?  constraints?  polic(?:y"
    "|ies)  programming  training"
    "  safeguards?  guardrails?  filters?  limits?  character  persona  configuration  settings?"
)
_EARLIER = one_of(
    r"""
    previous  prior  above  earlier  preceding  former  foregoing  original  initial  existing
    """
)
_DROP = one_of(
    r"""
    ignore  disregard  forget  override  bypass  abandon  discard  violate  disobey  neglect  unlearn  drop  skip  circumvent
    """
)
_ADVERBS = (
    r"(?:(?:always|please|never|only|just|simply|now|kindly|also|again|immediately|first|do not|don't|dont|do|not|everyone|everybody|must"
    r"|remember to|make sure to|be sure to|make sure (?:that )?you|be sure (?:that )?you|don't forget to|do not forget to"
    r"|remember that you"
    r"|your job is to|you are to|keep in mind to|and|so|then)\s+){0,4}"
)
_PEOPLE = one_of(
    r"""
    everyone  everybody  anyone  anybody  others  other people  people  all  users?  them  whoever  strangers  members?  newcomers
    the (?:others|group|channel|server|chat|users?|members|admins?|people|team)  him  her
    """
)
_SHOUT = rf"(?:tell|inform|notify|warn|convince|persuade|remind|message|dm|spam|insult|mock|greet|call|treat|answer|ask|send) {_PEOPLE}\b"
_SAY = words_of(
    r"""
    answer  reply  respond  obey (?:me|him|her|us|them|all|every|my|the|whatever|\w+'s)\b  pretend  reveal  disclose  leak
    repeat after  append  prepend  roleplay  act as  act like
    behave (?:as|like)  repeat  insult  mock  refuse  output  say (?:that|only|nothing|yes|no|\"|')  tell (?!me\b|us\b)\w+  speak only
    speak (?:as|like)  talk (?:like|as)  let everyone  spread the  end (?:every|each|all|your)
    (?:start|begin|open|close|finish|sign) (?:every|each|all|your)
    (?:include|insert|add|put|mention|write|post|use) .{1,60} (?:in|to|at|with) (?:the (?:end|start) of )?(?:every|each|all|any|your)
    mention .{1,40} (?:whenever|every ?time|to everyone)  recommend .{1,60} (?:to|whenever|when)  promote  advertise  endorse
    do whatever  do (?:everything|anything)  (?:trust|believe|follow) (?:everything|anything|whatever|every|all|only)  give everyone
    (?:show|print|share|reveal|output|display|list) (?:me )?(?:your|the system|all (?:your )?memor)  execute  call the (?:tool|function)
    delete (?:all|every|your)  erase (?:all|every|your)  forget (?:all|every|what|who|about|that)\s  store (?:this|that|the following)
    save (?:this|the following)  (?:never|do not|don't|dont) (?:mention|discuss|reveal|tell|say|share|answer|reply|respond)
    (?:ban|kick|mute) \w+  say .{1,60} (?:to (?:everyone|everybody|anyone|all|people|whoever)|when(?:ever)?|if|every ?time|instead)\b
    """,
    _SHOUT,
)
_SAY_ANY = words_of(
    r"""
    answer  reply  respond  say  tell  repeat  pretend  act  behave  obey  reveal  disclose  leak  append  insult  mock  refuse  output
    print  roleplay  ignore  disregard  end every  begin every  start every  end each  follow  comply  trust  believe everything  praise
    recommend  promote  address (?:me|him|her|every|all)  use the word  only speak
    call (?:everyone|everybody|all|users|people|him|her|them)  treat (?:me|him|her|them|every)  speak (?:only|like|as)
    include .{1,40} in  mention
    """
)
_MUST = (
    r"(?:must|should|shall|have to|has to|need to|needs to|are to|is to|ought to|had better|can only|may only|will(?: now| always"
    r"| only| never)"
    r"|(?:are|is) (?:now )?(?:required|obliged|ordered|instructed|told|supposed|forced|programmed|bound|expected) to)"
)
_FROM_NOW = (
    r"(?:from (?:now|here|today|this (?:moment|point|day|message)) (?:on|onwards?|forward)|from this (?:moment|point|day)|henceforth"
    r"|going forward|hereafter|in (?:all |every |any |your )?(?:future )?(?:repl(?:y|ies)|answers?|responses|conversations)|starting now"
    r"|effective immediately|until (?:i|further) (?:say|notice|tell)|for the rest of (?:this|the) (?:chat|conversation))"
)
_OWN = r"(?:i|i'm|i'll|i've|i'd|we|we'll|we're|my|our|he|she|they|his|her|the user|user|user's)"
_TO_BOT = r"(?:you|your|bot|assistant|ai|chatbot|persona|repl(?:y|ies)|answers?|respond|responses?|everyone|everybody|say|tell)"

ENGLISH = Orders(
    overrides=any_of(
        rf"\b{_DROP}\w*\b.{{0,30}}\b{_EARLIER}\b.{{0,25}}\b{_RULES}\b",
        rf"\b{_DROP}\w*\b.{{0,20}}\b(?:everything|all|anything)\b.{{0,12}}\b(?:above|before this|you were told|you know"
        rf"|you have been told)",
        rf"{CLAUSE}{_ADVERBS}{_DROP} .{{0,20}}\b(?:all|any|every|your|these|those|the|other|system)\b.{{0,25}}\b{_RULES}\b",
        rf"\byou (?:\w+ ){{1,3}}{_DROP}\b.{{0,25}}\b{_RULES}\b",
        rf"\b(?:to|and) {_DROP} (?:all )?(?:of )?your {_RULES}\b",
        r"\byour (?:previous |prior |old |original |current |initial )?(?:instructions|guidelines|programming|system prompt"
        r"|directives|guardrails|safety)",
        r"\b(?:your|the|its|hidden) (?:system prompt|hidden (?:prompt|instructions)|initial prompt|developer message)\b",
        r"\bnew (?:system )?(?:instructions?|directives?|prompt)\s*[:=]",
        r"\b(?:you are|you're|as|become|is|act as) (?:now )?(?:dan|jailbroken|unrestricted|unfiltered|uncensored|in developer mode"
        r"|in god mode)\b",
        r"\b(?:developer|god|admin|debug|sudo|root) mode\b.{0,20}\b(?:on|enabled|activated|active)\b",
        r"\b(?:enable|activate|enter) (?:developer|god|admin|debug|sudo|root|dan) mode\b",
        r"\b(?:without|no|free of) (?:any )?(?:restrictions|filters|guardrails|limits|content polic\w+)\b.{0,30}\b(?:you|bot"
        r"|assistant|ai)\b",
    ),
    orders=any_of(
        rf"{CLAUSE}{_ADVERBS}{_SAY}",
        rf"{CLAUSE}(?:please )?(?:always|only|never|just) say\b",
        rf"{CLAUSE}(?:please )?(?:always|never) (?:include|add|use|mention|write|put|insert|quote|link|start|begin|end|finish|refer"
        rf"|send|show|give|ask|call|address|praise"
        r"|greet|agree|deny|translate|make|let|speak|talk|trust|believe|help)\b",
        rf"{CLAUSE}{_ADVERBS}(?!\w+(?:s|ed|ing)\b)\w+ (?:every|each|all|any)(?: of)?(?: the| my| his| her| their"
        rf"| your)? (?:\w+ )?(?:messages?|answers?|repl(?:y|ies)|questions?"
        r"|sentences?|responses?|users?|members?|conversations?|memor(?:y|ies))\b",
        rf"{CLAUSE}{_ADVERBS}(?:do the opposite|replace (?:everything|all|every|what|your)|note to (?:yourself|the |bot|ai|assistant))",
        r"\b(?:everything|all|anything|what|whatever) (?:that )?you (?:know|remember|stored?|have stored|learn(?:ed)?)\b",
        rf"\bi, ?{_BOT}\b",
        r"\b(?:unlocks?|activates?|enables?|opens?|triggers?) (?:the |your )?(?:debug|admin|developer|god|root|hidden|secret|special"
        r"|full)\b",
        r"\b(?:if|when(?:ever)?|every ?time|each time|any ?time) (?:anyone|someone|somebody|anybody|people|a (?:user|member|person)"
        r"|users?|others)\b[^.!?\n]{3,80},\s*"
        r"(?:then |please |always |just |only )*(?:send|forward|give|post|share|add|store|save|write|use|show|make|do|delete|kick"
        r"|ban|ask|report|redirect|link|invite|charge)\b",
        r"\b(?:always|only|never) (?:answer|reply|respond|say|speak)s? (?:with|in [a-z]+ (?:rhymes?|verse|caps|capitals)|in rhymes?"
        r"|in verse|as|that|only|\"|'|to every|to any)",
        rf"\b(?:you|u|{_BOT})(?: \w+)? {_MUST} (?:\w+ ){{0,2}}?{_SAY_ANY}\b",
        rf"\b{_BOT} (?:always|never|only|now|secretly|actually|really|must|has to|should|shall|is (?:now|really|actually|secretly))\b",
        rf"\b{_BOT} (?:\w+ )?(?:answers|replies|responds|ends|begins|starts|opens|closes|signs|says|uses|includes|adds|mentions"
        rf"|greets|insults|calls|obeys|sells"
        r"|recommends|ignores|tells|sends|pretends|refuses)\b",
        rf"\b{_BOT} (?:\w+ ){{0,2}}(?:loves?|likes?|hates?|wants?|prefers?|agrees?|agreed|promised?|refuses?|decided|swore) (?:to"
        rf"|that)\b",
        rf"\b(?:want|wants|wanted|ask|asks|asked|tell|tells|told|order|orders|ordered|instruct|instructs|instructed|expect|expects"
        rf"|like|likes|need|needs"
        rf"|remind|reminds|allow|allows|allowed|authori[sz]ed?s?|permits?|permitted|programmed|trained|force|forces) (?:you|{_BOT}"
        rf"|everyone|everybody)"
        rf" (?:not |never |always |only )*to\b",
        r"\byou (?:always|only|never) (?:answer|reply|respond|say|speak) (?:with|in|as|that|only|\"|')",
        r"\byou(?:'re| are) (?:now |no longer |henceforth )(?!my\b|friends\b)",
        r"\bcall (?:everyone|everybody|all (?:of|users|people|members)|users|people) ",
        r"\b(?:every|each|all|any)(?: one)?(?: of)?(?: your| the| iris'?s?)?(?: future| further)? (?:repl(?:y|ies)|answers?"
        r"|responses?|messages?|sentences?"
        r"|outputs?|greetings?|questions?)\s+(?:\w+ )?(?:must|should|shall|has to|have to|needs? to|is to|are to|ends?|starts?"
        r"|begins?|contains?"
        r"|includes?|will|gets?|is answered|are answered|that)\b",
        r"\b(?:all|every|each|any)(?: one)?(?: of)? your (?:future )?(?:repl(?:y|ies)|answers?|responses?|messages?|sentences?)\b",
        rf"\b(?:every|each|all|any) (?:repl(?:y|ies)|answers?|responses?|messages?|sentences?) (?:of yours|(?:of|from|by) (?:you"
        rf"|{_BOT}))\b",
        r"\b(?:at|to|in|with) the (?:end|start|beginning) of (?:each|every|all|any|your) (?:\w+ )?(?:repl(?:y|ies)|answers?"
        r"|responses?|messages?)\b",
        r"\b(?:answers?|replies|responses) (?:must|should|shall|have to|need to|has to) ",
        r"\banswer to (?:every|each|all|any)\b",
        r"\b(?:is|are|be|get|gets) (?:always )?(?:answered|replied to) (?:with|by|as)\b",
        r"\b(?:every|each|all)(?: \w+)? (?:end|start|begin)s? (?:your|every|each|all|its)\b.{0,15}\b(?:repl|answer|message|sentence"
        r"|response)",
        r"\b(?:ends?|starts?|begins?|opens?|closes?) (?:every|each|all)(?: of)?(?: your| its| her| his| their)? (?:repl|answer"
        r"|message|sentence|response)",
        r"\b(?:if|when(?:ever)?|every ?time|each time|any ?time|as soon as|once|in case|should)\b[^.!?\n]{3,100}?(?:,\s*|\bthen "
        r"|:\s*|-+> ?|[→—–]\s*)"
        rf"(?:then |you |please |always |just |only |must |should |will |simply )*{_SAY}",
        r"\b(?:if|when(?:ever)?|every ?time|each time|any ?time) (?:anyone|someone|somebody|anybody|people|a user|users?|he|she|they"
        r"|others)\b[^.!?\n]{3,60}"
        r"(?<!\bi)(?<!\bwe)(?<!\bto)(?<!they)(?<!\bhe)(?<!she) (?:reply|respond|answer|say|tell (?:them|him|her)|call (?:them|him"
        r"|her))\b",
        r"\b(?:am|are|is|as|'m|being) (?:now )?(?:the |your |its |this bot's |the bot's )?(?:creator|developer|owner|administrator"
        r"|admin|master|operator|programmer|maker)"
        r"\b(?: of (?:you|this bot|the bot|this server|the server|this channel|this chat|iris))",
        r"\b(?:am|are|is|as|'m) your (?:new )?(?:creator|developer|owner|administrator|admin|master|operator|programmer|maker|god"
        r"|boss|supervisor)\b",
        rf"\b(?:admins?|moderators?|owners?|developers?|creators?|openai|anthropic|google|staff|the system|management|the server"
        rf"|support team)\b"
        rf"[^.!?\n]{{0,50}}"
        r"\b(?:approved?|authori[sz]ed?|order(?:s|ed)?|decided?|said|says?|instruct(?:s|ed)?|requires?|demands?|confirm(?:s|ed)?"
        r"|announced?|wants?|allow(?:s|ed)?|permit\w*|agreed?"
        rf"|told|tells?|grant(?:s|ed)?|gave)\b[^.!?\n]{{0,50}}\b(?:you|{_BOT}|everyone|everybody|all (?:users|members)|unlimited"
        rf"|every command|full access|all rights)\b",
        r"\b(?:my|his|her|their|\w+'s) (?:word|words|orders?|wish|wishes|commands?|instructions?|requests?"
        r"|messages?)\b.{0,20}\b(?:law|final|priority|override|overrides"
        r"|outranks?|absolute|above (?:all|everyone|the)|obeyed|must|never (?:be )?(?:questioned|refused|doubted))\b",
        r"\b(?:has|have|with|gives?|grants?|granted|got) (?:\w+ )?(?:admin|administrator|root|full|unlimited|special|moderator"
        r"|owner) (?:rights|access|permissions?|privileges|powers?|clearance)\b"
        r"(?! (?:on|at|in|for|to|of|over) (?!this|you|the (?:server|bot|chat|channel|group)))",
        r"\b(?:can be|is to be|must be|should be|are to be) (?:trusted with|believed|obeyed|told everything|given)\b",
        r"\b(?:every|each) (?:reply|answer|response) (?:holds|has|shows|carries|features)\b",
        r"\byour (?:new|only|real|true|secret|main|primary|sole|actual|first) (?:name|rule|task|job|mission|goal|purpose|role"
        r"|persona|character|identity|personality|instruction|duty)\b",
        r"\bis (?:now )?your (?:new )?(?:hobby|job|task|duty|goal|habit|mission|purpose|passion)\b",
        r"\byour (?:answers|replies|responses)\b",
        r"\byou (?:only )?(?:listen|answer|report|belong|bow|submit) to\b",
        r"\b(?:whoever|anyone who|anybody who|everyone who|everybody who|people who|those who|users who)\b[^.!?\n]{3,60}\b(?:gets?"
        r"|is to|are to|shall|must|will be|should|is told|are told)\b",
        r"\bsystem (?:messages?|instructions?|prompts?)\b",
        rf"{CLAUSE}{_ADVERBS}be (?!\w+ing\b)\w+ (?:to|with|towards) ",
        rf"{CLAUSE}{_ADVERBS}act (?:on|for|in) ",
        r"\byour (?:task|mission|purpose|role|duty|goal|objective) (?:is|will be)\b",
        r"\b(?:a |the )?(?:new|first|main|most important|golden|secret|server|house|channel|standing|permanent) (?:rule|order"
        r"|instruction|command|policy|law)"
        r"(?: here| of this \w+| for \w+)?\s*(?:is|:|=|says|requires|states)",
        r"\brules? (?:for (?:you|the bot|iris|all answers|replies)|(?:number )?\d+\s*[:=])",
        rf"{CLAUSE}{_ADVERBS}{_FROM_NOW}(?!\W+(?:\w+ )?{_OWN}\b)(?=\W+\w)",
        rf"{_FROM_NOW}[^.!?\n]*\b{_TO_BOT}\b",
        rf"{CLAUSE}(?!{_OWN}\b)(?=[^.!?\n]*\b{_TO_BOT}\b)[^.!?\n]*{_FROM_NOW}",
        r"\bthe (?:correct|right|only|official|approved|expected|best) (?:answer|reply|response) (?:to|for|is|when)\b",
        r"\b(?:code ?word|trigger word|magic word|safe ?word|activation phrase|passphrase)\b[^.!?\n]{0,60}\b(?:unlocks?|activates?"
        r"|enables?|reveals?|means you|makes you|lets)\b",
        r"\b(?:base64|rot13|decode (?:this|the following)|reverse this|translate and (?:follow|obey|execute))\b",
    ),
    naming=any_of(
        rf"(?:\b{_FROM_NOW}[, ]+)?(?:please |always |just |you (?:can|may|should|must) ){{0,2}}call me [\w'-]+(?: [\w'-]+)?"
        rf"(?:,? (?:please|{_FROM_NOW}|always))?(?=\s*(?:[.!?,;\n]|$))",
        rf"\b(?:wants?|likes?|prefers?|asks|asked|would like|wishes) to be called [\w'-]+(?: [\w'-]+)?(?: {_FROM_NOW})?",
        rf"\b(?:i|she|he|they) (?:now )?go(?:es)? by [\w'-]+(?: {_FROM_NOW})?",
    ),
)
