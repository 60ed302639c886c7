/**
 * Names of carriers as Shopify writes them. By these alone, letter by letter, it makes a link of the number and follows the
 * parcel.
 */
const names = `
4PX | AGS | Amazon | Amazon Logistics UK | An Post | Anjun Logistics | APC | Asendia USA | Australia Post
Bonshaw | BPost | BPost International | Canada Post | Canpar | CDL Last Mile | China Post | Chronopost | Chukou1
Colissimo | Comingle | Coordinadora | Correios | Correos | CTT | CTT Express | Cyprus Post | Delnext
Deutsche Post | DHL eCommerce | DHL eCommerce Asia | DHL Express | DPD | DPD Local | DPD UK | DTD Express | DX
Eagle | Estes | Evri | FedEx | First Global Logistics | First Line | FSC | Fulfilla | GLS
Guangdong Weisuyi Information Technology (WSE) | Heppner Internationale Spedition GmbH & Co. | Iceland Post
IDEX | Israel Post | Japan Post (EN) | Japan Post (JA) | La Poste Colissimo | La Poste Burkina Faso | Lasership
Latvia Post | Lietuvos Paštas | Logisters | Lone Star Overnight | M3 Logistics | Meteor Space | Mondial Relay
New Zealand Post | NinjaVan | North Russia Supply Chain (Shenzhen) Co. | OnTrac | Packeta | Pago Logistics
Ping An Da Tengfei Express | Pitney Bowes | Portal PostNord | Poste Italiane | PostNL | PostNord DK
PostNord NO | PostNord SE | Purolator | Qxpress | Qyun Express | Royal Mail | Royal Shipments | Sagawa (EN)
Sagawa (JA) | Sendle | SF Express | SFC Fulfillment | ShipBob | SHREE NANDAN COURIER | Singapore Post
Southwest Air Cargo | StarTrack | Step Forward Freight | Swiss Post | TForce Final Mile | Tinghao | TNT
Toll IPEC | United Delivery Service | UPS | USPS | Venipak | We Post | Whistl | Wizmo | WMYC | Xpedigo
XPO Logistics | Yamato (EN) | Yamato (JA) | YiFan Express | YunExpress | Aramex Australia | TNT Australia
Hunter Express | Couriers Please | Bonds | Allied Express | Direct Couriers | Northline | GO Logistics
Österreichische Post | Speedy | Intelcom | BoxKnight | Loomis | WanbExpress | Zásilkovna | Deutsche Post (DE)
Deutsche Post (EN) | DHL | Swiship | Hermes | SEUR | Colis Privé | Parcelforce | Yodel | DHL Parcel | Tuffnells
ACS Courier | Fastway | DPD Ireland | DTDC | India Post | Delhivery | Gati KWE | Professional Couriers
XpressBees | Ecom Express | Ekart | Shadowfax | Bluedart | BRT | GLS Italy | エコ配 | 西濃運輸 | 西濃スーパーエキスプレス | 福山通運
日本通運 | 名鉄運輸 | 第一貨物 | Bring | Inpost | PTT | Yurtiçi Kargo | Aras Kargo | Sürat Kargo | Alliance Air Freight
Pilot Freight | LSO | Old Dominion | Pandion | R+L Carriers | Skynet
`
  .split(/[|\n]/)
  .map((name) => name.trim())
  .filter((name) => name !== '')

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Diacritic}|[^\p{Letter}\p{Number}]/gu, '')

const byPlain = new Map(names.map((name) => [plain(name), name]))

/** What others call them. */
const otherwise: Readonly<Record<string, string | undefined>> = {
  dhlpaket: 'DHL',
  dhlgermany: 'DHL',
  federalexpress: 'FedEx',
  hermesuk: 'Evri',
  japanpost: 'Japan Post (EN)',
  postdanmark: 'PostNord DK',
  sagawa: 'Sagawa (EN)',
  unitedparcelservice: 'UPS',
  unitedstatespostalservice: 'USPS',
  yamato: 'Yamato (EN)',
}

/** The name that Shopify knows, however it is written; as it came where Shopify knows none. */
export const carrierName = (carrier: string): string =>
  byPlain.get(plain(carrier)) ?? otherwise[plain(carrier)] ?? carrier
