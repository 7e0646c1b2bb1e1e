import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRecap, parseRecap, withRecapStatement } from './recap.ts'

const methods = ['personal_sign', 'eth_sendTransaction']
const sentence =
  "I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': 'eth_sendTransaction', 'personal_sign' for 'eip155'."

test('default', () => {
  const resource = formatRecap({ methods, chains: [] })
  expect(atob(resource.slice('urn:recap:'.length))).toMatchInlineSnapshot(
    `"{"att":{"eip155":{"request/eth_sendTransaction":[{}],"request/personal_sign":[{}]}}}"`,
  )
  expect(resource).not.toContain('=')
  expect(parseRecap(['https://a.test', resource])).toEqual({
    methods: ['eth_sendTransaction', 'personal_sign'],
    chains: [],
  })
})

test('behavior: a written ReCap reads back', () => {
  const name = fc.stringMatching(/^[a-z][a-zA-Z_0-9]{1,20}$/)
  const chain = fc.stringMatching(/^eip155:[1-9][0-9]{0,5}$/)
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1 }), fc.uniqueArray(chain), (names, chains) => {
      expect(parseRecap([formatRecap({ methods: names, chains })])).toEqual({
        methods: [...names].sort(),
        chains,
      })
    }),
  )
})

test('behavior: the statement contains the permissions once', () => {
  const resources = [formatRecap({ methods, chains: ['eip155:1'] })]
  expect(withRecapStatement(undefined, resources)).toBe(sentence)
  expect(withRecapStatement('Hello.', resources)).toBe(`Hello. ${sentence}`)
  expect(withRecapStatement(`Hello. ${sentence}`, resources)).toBe(`Hello. ${sentence}`)
  expect(withRecapStatement('Hello.', ['https://a.test'])).toBe('Hello.')
})

test('error: a resource that is not a ReCap allows nothing', () => {
  const refused = ['urn:recap:', 'urn:recap:e30', 'urn:recap:%%', 'https://a.test', '']
  for (const resource of refused) expect(parseRecap([resource])).toBeUndefined()
  expect(parseRecap([formatRecap({ methods, chains: [] }), 'https://last.test'])).toBeUndefined()
  expect(parseRecap(undefined)).toBeUndefined()
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const resources = [`urn:recap:${btoa(encodeURIComponent(JSON.stringify(json)))}`]
      parseRecap(resources)
      withRecapStatement('a', resources)
      const att = [`urn:recap:${btoa(encodeURI(JSON.stringify({ att: json })))}`]
      parseRecap(att)
      withRecapStatement('a', att)
    }),
  )
})
