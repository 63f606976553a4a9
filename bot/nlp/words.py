"""Words that tell names from noise."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GIVEN_NAMES = _words(
    """
    Aaron Abigail Adam Adrian Ahmed Aisha Akira Alan Albert Alejandro Alessandro Alex Alexander Alexandra Alexis Alfred Ali Alice Alicia
    Alina Alison Allison Alma Amanda Amelia Amelie Amina Amir Amy Ana Anastasia Andre Andrea Andreas Andrew Andy Angela Anika Anita Anja
    Ann Anna Anne Annette Annika Anthony Antoine Anton Antonio Arjun Arthur Asha Astrid Ayaka Ayumi Barbara Beatrice Ben Benjamin Bernard
    Beth Betty Bianca Bob Bobby Boris Brenda Brian Bridget Bruno Camila Carl Carla Carlos Carmen Carol Caroline Cassandra Catherine Cecilia
    Charles Charlie Chiara Chloe Chris Christian Christina Christine Christopher Claire Clara Claudia Colin Connor Craig Cynthia Daisuke
    Daniel Daniela Daniele Dave David Deborah Denis Dennis Diana Diego Dieter Dimitri Dmitri Dominic Donald Donna Dorothy Doug Douglas
    Dylan Edgar Eduardo Edward Eileen Elena Eleanor Elias Elijah Elisa Elizabeth Ella Ellen Ellie Elsa Emil Emilia Emily Emma Enrique Eric
    Erik Erika Ernst Ethan Eva Evelyn Fabian Fatima Felix Fernando Finn Fiona Florian Frances Francesca Francisco Frank Franz Fred Freya
    Friedrich Fumiko Gabriel Gabriela Gary George Gerald Gerard Gina Giovanni Giulia Gloria Gordon Greg Gregory Greta Guillaume Gustav
    Hamza Hana Hanna Hannah Hans Haruki Haruto Hassan Heather Hector Heidi Heinrich Helen Helena Helga Henrik Henry Hiroshi Hiroko Hugo
    Ian Ibrahim Ida Ignacio Igor Ines Ingrid Irene Irina Isaac Isabel Isabella Ivan Jack Jackie Jacob Jacques Jakob James Jamie Jan Jana
    Jane Janet Jason Javier Jean Jeff Jennifer Jenny Jeremy Jerry Jessica Jill Jim Jimmy Joan Joanna Joe Joel Johan Johannes John Jonas
    Jonathan Jorge Jose Joseph Joshua Juan Juanita Judith Julia Julian Juliette Julie Jun Jutta Karen Karin Karl Karla Kate Katharina
    Katherine Kathleen Kathy Katie Katja Kazuki Keiko Keith Kelly Ken Kenji Kenneth Kevin Khalid Kirsten Klaus Kurt Kyoko Lara Larissa Lars
    Laura Lauren Lea Leah Lena Leo Leon Leonie Leticia Liam Lily Linda Lisa Logan Louis Louise Luca Lucas Lucia Lucy Luis Luisa Lukas Luke
    Lydia Magdalena Makoto Malik Manuel Marc Marcel Marco Marcus Margaret Maria Marie Marina Mario Marion Markus Marta Martha Martin Martina
    Mary Maryam Masako Mateo Matilda Matt Matteo Matthew Matthias Maurice Maya Megan Mehmet Mei Melanie Melissa Mia Michael Michelle
    Miguel Mika Mike Mila Miriam Misaki Mohamed Mohammed Monica Monika Moritz Mustafa Nadia Nancy Naomi Natalia Natalie Natasha Nathan
    Neil Nicholas Nick Nicola Nicolas Nicole Niklas Nikolai Nils Nina Noah Noor Nora Norbert Norman Olga Oliver Olivia Omar Oscar Oskar
    Otto Owen Pablo Pamela Pascal Patricia Patrick Paul Paula Pauline Pedro Peggy Peter Petra Phil Philip Philipp Pierre Pietro Priya
    Rachel Rafael Rahul Ralf Ralph Ramona Ravi Raymond Rebecca Renate Ricardo Richard Rita Robert Roberto Robin Rodrigo Roger Roland
    Ronald Rosa Rosie Rudolf Ruth Ryan Sabine Sakura Sally Sam Samantha Samir Samuel Sandra Sara Sarah Satoshi Scott Sebastian Sergei
    Sharon Sheila Shirley Silvia Simon Simone Sofia Sonja Sophia Sophie Stefan Stella Stephanie Stephen Steve Steven Stuart Sue Susan
    Susanne Svenja Svetlana Sven Takashi Takeshi Tanja Tara Tariq Tatiana Ted Teresa Terry Theo Theresa Thomas Tim Timothy Tina Tobias Tom
    Tomoko Tony Tracy Ulrich Ursula Uwe Valentina Vanessa Vera Veronica Victor Viktor Vincent Vivian Vladimir Walter Wendy Werner Wilhelm
    William Wolfgang Xavier Yasmin Yasuko Yoko Yolanda Yosuke Yui Yuka Yuki Yuko Yumi Yusuf Yvonne Zara Zoe
    """
)
"""First names that are hardly ever anything else; towns, months and ordinary words (Paris, Sydney, April, Mark, Will) stay out."""

STOP_WORDS = _words(
    """
    a an and are aren't as at be been but by can can't come could couldn't did didn't do does doesn't doing don't done for from get gets go
    goes going gonna gotta got had has have haven't having he he'd he'll he's her here here's hers him his how how's i i'd i'll i'm i've if
    in into is isn't it it'd it'll it's its just let let's like make may me might mine my no nor not of off on once one only or our ours out
    over please put say says see shall she she's should shouldn't so some take than that that's the their them then there there's these they
    they're this those to too try up us very was wasn't we we'd we'll we're we've were weren't what what's when where where's which while
    who who's why will with won't would wouldn't yet you you'd you'll you're you've your yours all also always another any anyone anything
    both each either every everyone everything many more most much never none nothing now other others same several since somebody someone
    something soon still such sure until whatever

    after again ago back already although amazing anyway awesome bad because before better boss bot bro bruh bye cheers congrats
    dude evening ever exactly excellent except exciting fine finally fuck funny god goodbye goodnight guess guys
    haha hahaha hahah hate hell hello hey heya hi hm hmm hola honestly how however huh idk imo irl jk know later lmao lmfao lol
    lool look love luck maybe mean morning much nah naw need nice night nope nvm ok okay okey omg omfg oh ooh oops
    pls plz prob probably quick quite rip rofl seriously shit smh sorry sounds stop sup ta tbh thank thanks think thx tho though
    tldr true two three ty tysm ugh uh um understood unless use used via wait want wanna way welcome well went whoa wow wrong wtf xd ya yay
    yea yeah yep yes yo yup bruv birthday christmas easter year day today tomorrow tonight yesterday afternoon weekend

    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april may june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec

    afaik afk asap bff brb btw dm eod eta faq fomo ftw fwiw fyi g2g gg ggs glhf gl gm gn gtg hbd hmu hth iirc ikr ily imho k kk lfg lmk mb
    n/a nbd nfsw np nsfw nsfl ofc ootd otw pov ppl rn rt sfw sos tba tbd tgif thnx til tia tmi tmr tw u ur w/ wb wbu wdym wip wp wth wyd
    yolo am pm tl;dr a.k.a aka etc vs
    """
)
"""What begins sentences or fills chats, and names nobody."""

DULL_ALONE = _words("new great big old good best first last next happy merry sweet cool dear lucky perfect")
"""What may begin a name (New York) and is none by itself."""

CONNECTORS = _words("of the & de del della der den di du da dos la le las los van von zu al el bin ibn")
"""Small words that may stand inside a name."""

TITLES = _words("mr mrs ms miss dr prof")
"""What stands before a name and is no part of it."""

JAPANESE_ROLES = _words(
    """
    皆 母 父 兄 姉 弟 妹 奥 娘 息子 孫 客 神 仏 王 赤 猫 犬 坊 嬢 婆 爺 叔父 伯父 叔母 伯母 祖父 祖母 旦那 主人 嫁 婿 医者 社長 部長 課長
    店長 校長 先輩 後輩 大家 隣 若者 学生 担任 家庭教師 幼稚園 保育園 小学校 中学校 高校 大学 御 何 誰 運転手
    """
)
"""What stands before さん or 先生 without being a name."""
