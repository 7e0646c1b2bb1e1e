import { expect, test } from 'vitest'
import { listAddresses } from './listAddresses.ts'

const one = `0x${'Ab'.repeat(20)}`
const two = `0x00${'cd'.repeat(19)}`
const word = (address: string) => address.slice(2).padStart(64, '0')

test('default: addresses within a string, each once', () => {
  expect(listAddresses(`Pay ${one}, not ${two}. ${one}`)).toEqual([one, two])
  expect(listAddresses(`${one}00 and 0x1234`)).toEqual([])
})

test('behavior: words of call data, also of calls within it', () => {
  expect(listAddresses(`0x12345678${word(one)}${word(two)}`)).toEqual([one, two])
  expect(listAddresses(`0x12345678${word('0x20')}a9059cbb${word(one)}`)).toContain(one)
  expect(listAddresses(`0x12345678${'ff'.repeat(64)}`)).toEqual([])
})
