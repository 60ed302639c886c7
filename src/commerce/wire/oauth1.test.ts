import { describe, expect, test } from 'vitest'
import { oauth1Header, oauth1Parameters, signatureBase } from './oauth1.ts'

/** The examples of RFC 5849 leave `oauth_version` out, which their signatures show; it is optional there. */
const signatureOf = (request: Parameters<typeof signatureBase>[0], protocol: Record<string, string>) =>
  signatureBase(request, protocol)

describe('OAuth 1.0a', () => {
  test('escapes what JavaScript leaves as it is', () => {
    const base = signatureBase({ method: 'GET', url: 'https://shop.example/', query: { q: "!'()*" } }, {})
    expect(base).toBe('GET&https%3A%2F%2Fshop.example%2F&q%3D%2521%2527%2528%2529%252A')
  })

  test('writes the signature base of RFC 5849, section 3.4.1.1', () => {
    const base = signatureOf(
      {
        method: 'POST',
        url: 'http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
        form: [
          ['c2', ''],
          ['a3', '2 q'],
        ],
      },
      {
        oauth_consumer_key: '9djdj82h48djs9d2',
        oauth_token: 'kkk9d7dh3k39sjv7',
        oauth_signature_method: 'HMAC-SHA1',
        oauth_timestamp: '137131201',
        oauth_nonce: '7d8f3e4a',
      },
    )
    expect(base).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    )
  })

  test('signs as the known example of OAuth Core 1.0a does', () => {
    const request = {
      method: 'GET',
      url: 'http://photos.example.net/photos',
      query: { file: 'vacation.jpg', size: 'original' },
      keys: {
        consumerKey: 'dpf43f3p2l4k3l03',
        consumerSecret: 'kd94hf93k423kf44',
        token: 'nnch734d00sl2jdk',
        tokenSecret: 'pfkkdhi9sl3r4s00',
      },
      seconds: 1191242096,
      nonce: 'kllo9940pd9333jh',
      algorithm: 'HMAC-SHA1',
    } as const
    expect(oauth1Parameters(request)['oauth_signature']).toBe('tR3+Ty81lMeYAr/Fid0kMTYa/WM=')
    expect(oauth1Header(request)).toContain('oauth_signature="tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D"')
  })

  test('signs the same whether the query stands in the address or beside it, and every value of a name', () => {
    const common = { method: 'GET', keys: { consumerKey: 'k', consumerSecret: 's' }, seconds: 1, nonce: 'n' } as const
    const beside = oauth1Parameters({ ...common, url: 'https://shop.example/a', query: { b: ['2', '1'], c: null } })
    expect(oauth1Parameters({ ...common, url: 'https://shop.example/a?b=1&b=2' })).toEqual(beside)
    expect(oauth1Parameters({ ...common, url: 'https://shop.example/a?b=1' })).not.toEqual(beside)
  })

  test('signs with SHA-256 by default, and without a token where there is none', () => {
    const parameters = oauth1Parameters({
      method: 'POST',
      url: 'https://shop.example/x',
      keys: { consumerKey: "k!'()*", consumerSecret: 's' },
      seconds: 1,
      nonce: 'n',
    })
    expect(Object.keys(parameters)).not.toContain('oauth_token')
    expect(parameters).toMatchObject({ oauth_signature_method: 'HMAC-SHA256', oauth_consumer_key: "k!'()*" })
    expect(Buffer.from(parameters['oauth_signature'] ?? '', 'base64')).toHaveLength(32)
  })
})
