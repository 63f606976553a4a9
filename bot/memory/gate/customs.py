"""Orders that are put as customs: how one answers here, what is thought polite, what good assistants do."""

import re
from dataclasses import dataclass

from bot.memory.gate.orders.frame import any_of, one_of

_SENTENCE_END = re.compile(r"[.!?。！？]+(?=\s|$|[^\x00-\x7f])|[。！？\n]")


@dataclass(frozen=True, slots=True)
class Customs:
    """How one language words customs of talking. All patterns read a text as `reading.read` gives it."""

    norm: re.Pattern[str]
    """That something is usual, polite, expected."""
    answers: re.Pattern[str]
    """What a bot gives: a norm for it is an order."""
    talking: re.Pattern[str]
    """What people do, too: a norm for it is an order where it is one of this place, or of the bot."""
    here: re.Pattern[str]
    """This chat, or whoever reads."""
    own: re.Pattern[str]
    """Somebody's own life: a norm of it is a fact about them."""
    told: re.Pattern[str]
    """What is an order without a word for the norm."""


def tells_custom(reading: str) -> bool:
    """Say whether a text, as `readings` gives it with the persona's name as `bot`, tells how one is to answer or talk here."""
    return any(_is_custom(sentence, customs) for sentence in _SENTENCE_END.split(reading) for customs in _LANGUAGES)


def _is_custom(sentence: str, customs: Customs) -> bool:
    if customs.own.search(sentence):
        return False
    if customs.told.search(sentence):
        return True
    if not customs.norm.search(sentence):
        return False
    return bool(customs.answers.search(sentence) or (customs.talking.search(sentence) and customs.here.search(sentence)))


def _whole(wordings: str) -> re.Pattern[str]:
    return re.compile(rf"\b{one_of(wordings)}\b")


_ENGLISH = Customs(
    norm=_whole(
        r"""
        custom  customary  customarily  traditions?  traditionally  (?:a|the|our) convention(?: here)?(?: is|:| that)  norms?
        etiquette  manners  protocol  polite  impolite  rude  courteous  courtesy  disrespectful
        (?:bad|good|proper) (?:form|style|tone)  (?:house|local) style  expects?  expected  expectation
        (?:everyone|everybody|people|we all)(?: would)? appreciates?  frowned upon  goes without saying  usual  usually  normal
        common practice  the done thing  how (?:it is|it's|things are|we) done?  the way (?:we|it|things)  considered  regarded as
        seen as  counts? as  proper  correct  acceptable  complete  incomplete  valid  invalid  unfinished
        best (?:met|answered|handled|served)  deserves?
        """
    ),
    answers=_whole(r"(?:an? |no |any )?(?:repl(?:y|ies)|answers?|responses?)  conversations?  outputs?  (?:bot|assistant|chatbot)s?"),
    talking=_whole(
        r"""
        greet(?:s|ed|ing|ings)?  say(?:s|ing)?  mention(?:s|ed|ing)?  address(?:es|ed|ing)?  thank(?:s|ing)?  call(?:s|ing)?
        speak(?:s|ing)?  talk(?:s|ing)?  writ(?:e|es|ing|ten)  sign(?:s|ing)? off  tell(?:s|ing)?  told  messages?  sentences?  lines?
        shout(?:s|ed|ing)?  questions?
        """
    ),
    here=_whole(
        r"here  hereabouts  this (?:server|chat|channel|group|room|place|community|guild)  you  your  bots?  assistants?  newcomers"
    ),
    own=re.compile(
        r"\b(?:i|i'm|i've|i'd|i'll|my|mine|his|her|hers|she|he|me)\b"
        r"|\bour (?:family|school|office|company|boss|teacher|house|home|village|town|church|club|choir|team)\b"
    ),
    told=any_of(
        r"\b(?:no|an?|any|every|good|proper|polite|real|true|right) (?:\w+ )?(?:repl(?:y|ies)|answers?|responses?|greetings?) (?:\w+ )?"
        r"(?:ends?|opens?|starts?|begins?|closes?|finish(?:es)?|rhymes?|contains?|includes?|carr(?:y|ies)|comes?|without)\b",
        r"\b(?:answers|replies|responses|greetings) (?:\w+ )?(?:end|open|start|begin|close|finish|rhyme|contain|include|carry|come with"
        r"|go with|are (?:shouted|written|given|sung|rhymed))\b",
        r"\b(?:answer|reply|response) (?:that|which|for|to)\b[^.!?\n]{0,30}\b(?:every|any|each|all|whatever) (?:\w+ )?questions?\b",
        r"\b(?:nobody|no one|everyone|everybody|anyone|whoever|all who|those who)\b[^.!?\n]{0,50}\b(?:gets?|receives?|deserves?|earns?)\b"
        r"[^.!?\n]{0,20}\b(?:answers?|repl(?:y|ies)|responses?)\b",
        r"\bquestions? (?:about|on|of|concerning|like)\b[^.!?\n]{1,40}\b(?:is|are) (?:\w+ )?"
        r"(?:met|answered|handled|replied to|countered)\b",
        r"(?:^|[,;:] ?|\bthat |\b(?:good|polite|proper|real|helpful|smart|all|most) )"
        r"(?:bots|assistants|chatbots|ais) (?!are\b|were\b|have\b)\w+",
        r"\bfor (?:an? |the |all |every )?(?:bot|assistant|chatbot)s? to\b",
    ),
)

_GERMAN = Customs(
    norm=_whole(
        r"""
        ublich\w*  brauch  brauche  sitte  sitten  gepflogenheit\w*  tradition\w*
        (?:haus|umgangs)(?:stil|brauch|regeln?|ordnung|ton|formen)
        guter ton  guten ton  gehort sich  gehoren sich  gehort es sich  hoflich\w*  unhoflich\w*  respektlos\w*  erwartet\w*  erwarten
        erwartung\w*  gilt als  gelten\b[^.!?\n]{0,20}\bals  konvention\w*  etikette  norm  anstand  selbstverstandlich\w*  normal\w*
        gern gesehen  ungern gesehen  verpont  unvollstandig\w*  vollstandig\w*
        """
    ),
    answers=_whole(r"antwort(?:en)?  erwiderung(?:en)?  nachricht(?:en)?  begrussung(?:en)?  (?:bots?|assistenten)"),
    talking=_whole(
        r"""
        antwortet  antworten  beantwortet  grusst  begrusst  grussen  begrussen  sagt  sagen  schreibt  schreiben  erwahnt  erwahnen  nennt
        spricht  reimt  dankt  schliesst  beginnt  endet  anspricht  anredet
        """
    ),
    here=_whole(
        r"hier  hierzulande  (?:diese[rmns]?|unsere[rm]?) (?:gruppe|kanals?|chats?|servers?|raum|raums|runde)  du  dich  dir  bots?"
    ),
    own=re.compile(r"\b(?:ich|mich|mir|mein\w*|sein[er]\w*|ihr\w*|unsere? (?:familie|schule|firma|chef\w*|oma))\b"),
    told=any_of(
        r"\bantworten (?:\w+ )?(?:enden|beginnen|schliessen|enthalten|reimen)\b",
        r"\b(?:beantwortet|antwortet|erwidert|grusst|begrusst)\b[^.!?\n]{0,12}\bman hier\b",
        r"\b(?:wer|man) hier (?:antwortet|schreibt|grusst|spricht)\b",
        r"\bhier (?:beantwortet|antwortet|grusst|begrusst) man\b",
    ),
)

_FRENCH = Customs(
    norm=_whole(
        r"""
        usage  coutumes?  traditions?  conventions?  normes?  de rigueur  (?:bien|mal) vue?s?  polie?s?  impolie?s?  politesse  savoir-vivre
        bonne education  on attend  attendue?s?  il convient  incomplete?s?  considere\w*
        """
    ),
    answers=_whole(r"reponses?  messages?  salutations?  (?:bots?|assistants?)"),
    talking=_whole(r"repondr?e?s?  repond(?:ent|ant)?  salu\w*  dire  dit  dise\w*  ecri\w*  commen\w*  termin\w*  fini\w*  mentionn\w*"),
    here=_whole(r"ici  (?:ce|cet|cette|du) (?:salon|groupe|serveur|canal|chat|forum)  tu  vous  toi  bots?"),
    own=re.compile(r"\b(?:je|moi|mon|ma|mes|son|sa|ses|elle|il (?!est|convient|faut|va))\b|\bj'|\bchez nous\b"),
    told=any_of(r"\bles reponses (?:\w+ )?(?:finissent|commencent|terminent|contiennent)\b"),
)

_SPANISH = Customs(
    norm=_whole(
        r"""
        acostumbra\w*  costumbres?  tradicion\w*  convencion\w*  normas?  se espera  educacion  educad[oa]s?  descortes\w*  cortesia
        (?:bien|mal) vist[oa]s?  se considera\w*  incomplet[oa]s?  habitual\w*
        """
    ),
    answers=_whole(r"respuestas?  mensajes?  saludos?  (?:bots?|asistentes?)"),
    talking=_whole(r"respond\w+  contest\w+  salud\w+  decir  dice\w*  diga\w*  empe\w+  termin\w+  escrib\w+  menciona\w*"),
    here=_whole(r"aqui  est[ea] (?:grupo|servidor|canal|chat|sala)  tu  usted  bots?"),
    own=re.compile(r"\b(?:yo|mi|mis|me|nuestra (?:familia|casa))\b"),
    told=any_of(r"\blas respuestas (?:\w+ )?(?:terminan|empiezan|acaban|contienen)\b"),
)

_JAPANESE = Customs(
    norm=re.compile(
        "決まり|きまり|マナー|習わし|ならわし|しきたり|慣習|慣例|習慣|礼儀|作法|流儀|常識|当たり前|当然|普通|失礼|無礼|丁寧|期待|約束事|文化|伝統|お約束"
    ),
    answers=re.compile("返信|返事|返答|回答|応答|語尾|質問に|質問へ|ボットの"),
    talking=re.compile("言う|言い|話す|話し|返す|返し|叫ぶ|叫び|挨拶|あいさつ|答え|書く|書き|名乗|呼ぶ|付け|つけ|伝え|メッセージ|発言"),
    here=re.compile("ここ|当サーバー|あなた|ボット|この(?:サーバー|チャット|グループ|部屋|チャンネル|場|コミュニティ)"),
    own=re.compile("私|僕|俺|わたし|うちの|会社|学校|職場|先生|実家|我が家|母|父|祖|妻|夫|兄|姉|弟|妹|友"),
    told=any_of("ないと(?:返事|返信|回答)(?:は|し|され)"),
)

_CHINESE = Customs(
    norm=re.compile("习惯|習慣|规矩|規矩|传统|傳統|惯例|慣例|礼貌|禮貌|礼仪|禮儀|风俗|風俗|约定|約定|讲究|講究|期待|失礼|失禮|正常|默认"),
    answers=re.compile("回复|回覆|回答|答复|答覆|应答|應答"),
    talking=re.compile("说|說|打招呼|问候|問候|消息|称呼|稱呼|写|寫|问|問"),
    here=re.compile("这里|這裡|这儿|本群|本频道|本頻道|这个(?:群|频道|服务器|聊天室)|這個(?:群|頻道|伺服器|聊天室)|你|机器人|機器人"),
    own=re.compile("我家|我们家|我們家|家里|家裡|公司|学校|學校|老师|老師|我妈|我媽|我爸|我的|我每|我总|我總|我会|我會"),
    told=any_of("(?:回复|回覆|回答)(?:都|一律)?以[^。]{1,12}(?:结尾|結尾|开头|開頭)"),
)

_LANGUAGES = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _JAPANESE, _CHINESE)
