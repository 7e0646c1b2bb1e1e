import { expect, test } from 'vitest'
import { readLink } from './readLink.ts'

const uri = `wc:${'ab'.repeat(32)}@2?relay-protocol=irn&symKey=${'cd'.repeat(32)}`
const page = 'http://127.0.0.1:3002'

test('default: the link of an app that opens the wallet', () => {
  expect(readLink(`${page}/wc?uri=${encodeURIComponent(uri)}`)).toBe(uri)
  expect(readLink(`${page}/?uri=${encodeURIComponent(uri)}`)).toBe(uri)
})

test('behavior: a link that was not encoded', () => {
  expect(readLink(`${page}/wc?uri=${uri}`)).toBe(uri)
})

test('behavior: a link that was encoded twice', () => {
  expect(readLink(`${page}/wc?uri=${encodeURIComponent(encodeURIComponent(uri))}`)).toBe(uri)
})

test('error: no link, an empty one, something else', () => {
  expect(readLink(`${page}/`)).toBeUndefined()
  expect(readLink(`${page}/wc?requestId=1&sessionTopic=2`)).toBeUndefined()
  expect(readLink(`${page}/wc?uri=`)).toBeUndefined()
  expect(readLink(`${page}/wc?uri=hello`)).toBe('hello')
  expect(readLink(`${page}/wc?uri=wc%253A%25E0%25A4%25A`)).toBe('wc%3A%E0%A4%A')
})
