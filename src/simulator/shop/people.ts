/** Where buyers live, what they are called, and what that does to a price. Made up, in many scripts on purpose. */
const table = `DE | Germany | EUR | 19 | +49 | Köln, Nordrhein-Westfalen, NW, 50667; München, Bayern, BY, 80331
  | Schloßstraße, Große Gasse, Am Mühlenbach | Jörg, Anneliese, Björn, Zoë | Müller, Groß, Weißenfels, von der Höh
FR | France | EUR | 20 | +33 | Orléans, Centre-Val de Loire, CVL, 45000
  | Rue de l’Église, Allée des Érables | François, Chloé, Anaïs | Lefèvre, D’Aubigné, Noël
US | United States | USD | 8 | +1 | Portland, Oregon, OR, 97201; Española, New Mexico, NM, 87532
  | Main Street, 3rd Avenue Apt #4, O’Brien Road | Mary-Ann, José, Tyrone | O’Neill, Smith, Nuñez
GB | United Kingdom | GBP | 20 | +44 | Stoke-on-Trent, Staffordshire, STS, ST1 1AA
  | Queen’s Road, The Old Smithy | Siân, Alistair, Priya | MacLeòid, Ó Briain, Patel
JP | Japan | JPY | 10 | +81 | 京都市, 京都府, JP-26, 600-8216
  | 下京区東塩小路町, 中京区二条城町 | あおい, 太郎, 美咲 | 佐藤, 鈴木, 渡邉
PL | Poland | PLN | 23 | +48 | Łódź, łódzkie, LD, 90-001
  | ulica Źródlana, aleja Kościuszki | Łukasz, Żaneta, Świętosław | Wójcik, Brzęczyszczykiewicz
SE | Sweden | SEK | 25 | +46 | Malmö, Skåne län, M, 211 20
  | Östergatan, Ängsvägen | Åsa, Björn, Märta | Sjöström, Ångström
KW | Kuwait | KWD | 0 | +965 | مدينة الكويت, العاصمة, KU, 13001
  | شارع الخليج العربي | محمد, فاطمة | الصباح, العنزي
CH | Switzerland | CHF | 8 | +41 | Zürich, Zürich, ZH, 8001
  | Niederdorfstraße, Chemin du Château | Urs, Noëmi, Luca | Zürcher, Götz, Bär
CA | Canada | CAD | 13 | +1 | Montréal, Québec, QC, H2Y 1C6
  | Rue Saint-Jérôme, Côte-des-Neiges | Thérèse, Nguyễn, Иван | Tremblay, Trần, Бойко`

const places = (text: string) =>
  text.split('; ').map((place) => {
    const [city = '', region = '', regionCode = '', zip = ''] = place.split(', ')
    return { city, region, regionCode, zip }
  })

export const countries = table.split(/\n(?=\S)/).map((row) => {
  const [code = '', name = '', currency = '', tax, dial = '', where = '', ...people] = row.split(/\s*\|\s*/)
  const [streets = [], firstNames = [], lastNames = []] = people.map((list) => list.split(', '))
  // Prices contain the tax, but for those of North America.
  const taxIncluded = code !== 'US' && code !== 'CA'
  const prices = { currency, tax: Number(tax), taxIncluded }
  return { code, name, ...prices, dial, places: places(where), streets, firstNames, lastNames }
})

export const carriers = [
  ['dhl', 'DHL', 'https://track.dhl.example/'],
  ['ups', 'UPS', 'https://track.ups.example/'],
  ['postnord', 'PostNord', 'https://track.postnord.example/'],
] as const

export const notes = [
  'Please ring twice.',
  'A gift 🎁: no invoice, please!',
  'Bitte beim Nachbarn „Höh“ abgeben',
  '玄関前に置いてください',
  'Leave at the back door; beware of the <dog> & cat',
] as const
