import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillId, parseUri } from './parseUri.ts'

const gateway = 'https://gateway.example/ipfs'
const v0 = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const v1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const arweave = 'https://arweave.example'
const gateways = { ipfsGateway: gateway, arweaveGateway: arweave }
const none = { ipfsGateway: undefined, arweaveGateway: undefined }
const transaction = '-H5MJqDfVmnKL9zW_3xTcR2eYbG8uPqo1NsAaQdFkLw'
const read = (uri: string, by = gateways, base?: string) => {
  const at = base === undefined ? undefined : parseUri(base, gateways)
  const place = parseUri(uri, by, at && 'url' in at ? at : undefined)
  return 'url' in place ? place.url : 'reason' in place ? place.reason : place.data.bytes.toString()
}

test.each([
  ['https://example.com/1.json', 'https://example.com/1.json'],
  [' HTTP://Example.com/a b ', 'http://example.com/a%20b'],
  [`ipfs://${v0}/1.json`, `${gateway}/${v0}/1.json`],
  [`ipfs://${v1}`, `${gateway}/${v1}`],
  [`ipfs://ipfs/${v0}/a b.png`, `${gateway}/${v0}/a%20b.png`],
  [`ipfs:/ipfs/${v1}/1`, `${gateway}/${v1}/1`],
  [`IPFS://${v0}?x=1`, `${gateway}/${v0}?x=1`],
  [v0, `${gateway}/${v0}`],
  [`${v1}/7.json`, `${gateway}/${v1}/7.json`],
  [`/ipfs/${v0}/1`, `${gateway}/${v0}/1`],
  [`ipfs/${v1}`, `${gateway}/${v1}`],
  [`dweb:/ipfs/${v1}/1`, `${gateway}/${v1}/1`],
  ['ipns://docs.example/1.json', 'https://gateway.example/ipns/docs.example/1.json'],
  [`ipns:/ipns/${v0}`, `https://gateway.example/ipns/${v0}`],
  ['/ipns/docs.example/1', 'https://gateway.example/ipns/docs.example/1'],
  [`ar://${transaction}/1.json`, `${arweave}/${transaction}/1.json`],
  [`AR:${transaction}`, `${arweave}/${transaction}`],
  [`arweave://${transaction}?a=1`, `${arweave}/${transaction}?a=1`],
  ['data:application/json,{"a":1}', '{"a":1}'],
  [' {"a":1}', '{"a":1}'],
  ['[{"a":1}]', '[{"a":1}]'],
  ['<!-- x --><svg/>', '<!-- x --><svg/>'],
])('default: %s', (uri, expected) => {
  expect(read(uri)).toBe(expected)
})

test('param: ipfsGateway, with or without a path; without it there is a reason', () => {
  const uri = `ipfs://${v0}/1`
  const by = (ipfsGateway: string) => read(uri, { ...gateways, ipfsGateway })
  expect(by('http://127.0.0.1:8080')).toBe(`http://127.0.0.1:8080/ipfs/${v0}/1`)
  expect(by('http://127.0.0.1:8080/ipfs')).toBe(`http://127.0.0.1:8080/ipfs/${v0}/1`)
  for (const one of [uri, 'ipns://docs.example', `ar://${transaction}`])
    expect(parseUri(one, none)).toEqual({ reason: 'no gateway configured' })
})

test('param: arweaveGateway, also below a path', () => {
  const by = { ...gateways, arweaveGateway: 'http://127.0.0.1:8080/ar' }
  expect(read(`ar://${transaction}/1`, by)).toBe(`http://127.0.0.1:8080/ar/${transaction}/1`)
})

test.each([
  ['0.png', 'https://example.com/a/1.json?x=1', 'https://example.com/a/0.png'],
  ['../my art.png?y', 'https://example.com/a/1.json', 'https://example.com/my%20art.png?y'],
  ['/0.png', 'https://example.com/a/1.json', 'https://example.com/0.png'],
  ['//other.example/0.png', 'https://example.com/a/1.json', 'https://other.example/0.png'],
  ['ipfs/0.png', 'https://example.com/1.json', 'https://example.com/ipfs/0.png'],
  ['0.png', `ipfs://${v0}/meta/1`, `${gateway}/${v0}/meta/0.png`],
  ['/0.png', `ipfs://${v0}/meta/1`, `${gateway}/${v0}/0.png`],
  ['../../../0.png', `ipfs://${v0}/meta/1`, `${gateway}/${v0}/0.png`],
  ['0.png', `ipfs://${v0}`, `${gateway}/${v0}/0.png`],
  ['./0.png', `ar://${transaction}/1`, `${arweave}/${transaction}/0.png`],
  [`ipfs://${v1}`, 'https://example.com/1.json', `${gateway}/${v1}`],
  ['file:///etc/passwd', 'https://example.com/1.json', 'not a URI of a known kind'],
  ['0.png', 'data:application/json,{}', 'not a URI of a known kind'],
])('param: base, %s read at %s', (uri, base, expected) => {
  expect(read(uri, gateways, base)).toBe(expected)
})

test.each([
  ['', 'not a URI of a known kind'],
  ['1.json', 'not a URI of a known kind'],
  ['//example.com/1', 'not a URI of a known kind'],
  ['ftp://example.com/1', 'not a URI of a known kind'],
  ['file:///etc/passwd', 'not a URI of a known kind'],
  ['javascript:alert(1)', 'not a URI of a known kind'],
  ['https://', 'not a URI of a known kind'],
  [`ar://${'a'.repeat(42)}`, 'an Arweave URI without an id'],
  [`ar://${transaction}/../../api`, 'a URI that leads elsewhere'],
  ['ipns://', 'an IPFS URI without a CID'],
  ['ipns://../api', 'an IPFS URI without a CID'],
  ['ipns://docs.example/%2e%2e/%2e%2e/api', 'a URI that leads elsewhere'],
  ['ipfs://', 'an IPFS URI without a CID'],
  ['ipfs://../api/v0/shutdown', 'an IPFS URI without a CID'],
  ['ipfs://example.com/1', 'an IPFS URI without a CID'],
  [`ipfs://${v0}/../../api`, 'a URI that leads elsewhere'],
  [`ipfs://${v0}/%2e%2e/%2e%2e/api`, 'a URI that leads elsewhere'],
  ['data:application/json', 'a data URL that cannot be read'],
  [`https://example.com/${'a'.repeat(3000)}`, 'a URI that is too long'],
])('error: %s', (uri, reason) => {
  expect(parseUri(uri, gateways)).toEqual({ reason })
})

test('behavior: {id} becomes 64 lower-case hex digits anywhere', () => {
  expect(fillId('https://a/{id}/{id}.json', 314592n)).toBe(
    `https://a/${'0'.repeat(59)}4cce0/${'0'.repeat(59)}4cce0.json`,
  )
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (id) => {
      const filled = fillId('{id}', id)
      expect(filled).toMatch(/^[0-9a-f]{64}$/)
      expect(BigInt(`0x${filled}`)).toBe(id)
    }),
  )
})

test('error: data of megabytes, or that would grow to them, is left alone', () => {
  const huge = `data:application/json,${'{id}'.repeat(1_000_000)}`
  expect(fillId(huge, 1n)).toBe(huge)
  const reason = 'a data URL that is too long'
  expect(read(huge)).toBe(reason)
  expect(read(fillId(`data:application/json,${'{id}'.repeat(100_000)}`, 1n))).toBe(reason)
})

test('behavior: any URI leads to the web or below the gateway', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'ipfs:',
      '//',
      '/',
      '..',
      '%2e%2e',
      '\\',
      v0,
      v1,
      'ipfs/',
      'ipns:',
      'ar:',
      transaction,
      '@',
      '#',
      '?',
      'https:',
      'a.b',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const uri = parts.join('')
      const place = parseUri(uri, gateways)
      if (!('url' in place)) return
      const { protocol, href } = new URL(place.url)
      expect(['http:', 'https:']).toContain(protocol)
      if (!/^\s*https?:/i.test(uri))
        expect(href).toMatch(/^https:\/\/(?:gateway\.example\/ip[fn]s|arweave\.example)\/[\w.-]/)
    }),
  )
})
