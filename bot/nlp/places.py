"""Towns and countries that are hardly ever anything else, for texts that no model reads."""

_NAMES = """
    Africa Algeria Amsterdam Ankara Antwerp Argentina Asia Athens Athen Athènes Auckland Australia Australien Austria Österreich
    Autriche Bangkok Barcelona Basel Beijing Peking Beirut Belgium Belgien Belgique Belgrade Bergen Berlin Bern Bogotá Bologna Bonn
    Bordeaux Boston Brasil Brazil Brasilien Bremen Brisbane Brussels Brüssel Bruxelles Bucharest Budapest Buenos_Aires Bulgaria Cairo
    Kairo California Kalifornien Canada Kanada Casablanca Chicago Chile China Colombia Copenhagen Kopenhagen Croatia Kroatien Cuba
    Czechia Delhi Denmark Dänemark Detroit Deutschland Dortmund Dresden Dubai Dublin Düsseldorf Edinburgh Egypt Ägypten England
    Espagne España Estonia Europe Europa Finland Finnland France Francia Frankreich Frankfurt Geneva Genf Genève Germany Allemagne
    Alemania Glasgow Göttingen Greece Griechenland Grèce Hamburg Hannover Hanoi Heidelberg Helsinki Hiroshima Hong_Kong Hungary Ungarn
    Iceland Island India Indien Indonesia Inde Innsbruck Iran Iraq Ireland Irland Israel Istanbul Italy Italien Italie Italia Jakarta
    Japan Japon Japón Jerusalem Karlsruhe Kenya Kiel Kobe Köln Cologne Korea Kraków Kyiv Kyoto Lagos Latvia Lausanne Leipzig
    Liechtenstein Lille Lima Lisbon Lissabon Lisboa Lithuania Liverpool London Londres Londra Los_Angeles Luxembourg Luzern Lyon
    Madrid Mainz Malaysia Mallorca Manchester Manila Mannheim Marseille Melbourne Mexico México Mexiko Milan Milano Montreal Montréal
    Morocco Moscow Moskau München Munich Mumbai Nagoya Nairobi Nantes Naples Napoli Netherlands Niederlande New_York New_York_City
    New_Zealand Neuseeland Nigeria Norway Norwegen Nürnberg Osaka Oslo Ottawa Oxford Pakistan Palermo Paris Peru Philadelphia
    Philippines Poland Polen Pologne Porto Portugal Prague Prag Quito Reykjavik Riga Rome Rom Roma Romania Rotterdam Russia Russland
    Salzburg San_Francisco Santiago_de_Chile São_Paulo Sapporo Saudi_Arabia Scotland Schottland Seattle Seoul Serbia Sevilla Shanghai
    Singapore Singapur Slovakia Slovenia Sofia Spain Spanien Stockholm Strasbourg Straßburg Stuttgart Suisse Schweiz Sweden Schweden
    Switzerland Sydney Taipei Taiwan Tehran Tel_Aviv Texas Thailand Tokyo Tokio Toronto Toulouse Tübingen Turkey Türkei Ukraine USA UK
    Utrecht Valencia Vancouver Venice Venedig Venezia Vienna Wien Vienne Vietnam Warsaw Warschau Washington Wales Yokohama Zagreb
    Zurich Zürich
    東京 大阪 京都 名古屋 札幌 福岡 神戸 横浜 広島 仙台 奈良 沖縄 北海道 日本 中国 韓国 台湾 香港 北京 上海 アメリカ
    イギリス フランス ドイツ イタリア スペイン カナダ オーストラリア インド ロシア パリ
    ロンドン ベルリン ローマ ニューヨーク
"""

PLACES = frozenset(name.replace("_", " ") for name in _NAMES.split())
"""Names that are often something else stay out: Jordan, Georgia, Victoria, Nice."""
