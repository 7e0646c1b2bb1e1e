import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDescriptor } from './readDescriptor.ts'

const address = `0x${'66'.repeat(20)}`
const token = `0x${'77'.repeat(20)}`
const moor = 'moor(uint256 fee, address payIn)'

/** Reads a file, and the files that it includes. */
function read(file: object, others: Readonly<Record<string, object>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-descriptor-'))
  for (const [name, content] of Object.entries({ ...others, 'own.json': file }))
    writeFileSync(join(folder, name), JSON.stringify(content))
  return readDescriptor(join(folder, 'own.json'), folder)
}

const fileOf = (fields: unknown, more: object = {}) => ({
  context: { contract: { deployments: [{ chainId: 1, address }] } },
  metadata: { owner: 'Harbour', constants: { token, note: 'fee', places: 6 } },
  display: { formats: { [moor]: { intent: 'Moor', fields } } },
  ...more,
})
const fieldsOf = ({ found }: ReturnType<typeof read>) => found[0]?.description.fields

test('behavior: null is the same as nothing, and a number may be written as its digits', () => {
  const { found, problems } = read({
    context: {
      contract: { abi: null, deployments: [{ chainId: '1', address }] },
      eip712: null,
    },
    metadata: null,
    display: {
      formats: {
        [moor]: {
          intent: null,
          fields: [
            { path: 'fee', label: 'Fee', format: 'raw', params: null, fields: null, value: null },
            { path: 'payIn', label: null, format: 'raw' },
            { path: 'fee', label: 'Rate', format: 'unit', params: { base: ' ', decimals: '18' } },
          ],
        },
      },
    },
  })
  expect(problems).toEqual([])
  expect(found[0]?.deployments).toEqual([{ chainId: 1, address }])
  expect(found[0]?.description.fields).toEqual([
    { path: '#.fee', label: 'Fee', format: 'raw' },
    { path: '#.fee', label: 'Rate', format: 'unit', decimals: 18 },
  ])
})

test('behavior: a constant is no path into what is signed, even if it has the name of a parameter', () => {
  const fields = [
    { path: '$.metadata.constants.note', label: 'Note', format: 'raw' },
    { path: 'fee', label: 'Fee', format: 'raw' },
  ]
  expect(fieldsOf(read(fileOf(fields)))).toEqual([{ path: '#.fee', label: 'Fee', format: 'raw' }])
})

test('param: a constant in place of a path to a token or collection is its address', () => {
  const params = { tokenPath: '$.metadata.constants.token' }
  const collection = { collectionPath: '$.metadata.constants.token' }
  const fields = [
    { path: 'fee', label: 'Fee', format: 'tokenAmount', params },
    { path: 'fee', label: 'Item', format: 'nftName', params: collection },
  ]
  expect(fieldsOf(read(fileOf(fields)))).toEqual([
    { path: '#.fee', label: 'Fee', format: 'tokenAmount', token },
    { path: '#.fee', label: 'Item', format: 'nftName', collection: token },
  ])
})

test.each([
  ['a token of another network', { params: { tokenPath: 'payIn', chainId: 10 } }],
  ['a token of a network in the data', { params: { tokenPath: 'payIn', chainIdPath: 'fee' } }],
  ['an encrypted value', { params: { tokenPath: 'payIn' }, encryption: { scheme: 'x' } }],
])('behavior: %s has no decimals that we could know', (_, more) => {
  const fields = [{ path: 'fee', label: 'Fee', format: 'tokenAmount', ...more }]
  expect(fieldsOf(read(fileOf(fields)))).toEqual([{ path: '#.fee', label: 'Fee', format: 'raw' }])
})

test('behavior: included fields of one path merge, and every other one stays', () => {
  const base = fileOf([
    { path: 'fee', label: 'Fee', format: 'raw' },
    { path: 'fee', label: 'Fee again', format: 'amount' },
    { value: 'Text', label: 'Constant' },
    { fields: [{ path: 'payIn', label: 'Token', format: 'raw' }] },
  ])
  const own = {
    includes: 'base.json',
    display: {
      formats: {
        [moor]: {
          fields: [
            { path: 'fee', format: 'unit' },
            { path: '@.to', label: 'Harbour', format: 'raw' },
          ],
        },
      },
    },
  }
  expect(fieldsOf(read(own, { 'base.json': base }))).toEqual([
    { path: '#.fee', label: 'Fee', format: 'unit' },
    { path: '#.fee', label: 'Fee again', format: 'unit' },
    { path: '#.payIn', label: 'Token', format: 'raw' },
    { path: '@.to', label: 'Harbour', format: 'raw' },
  ])
})

test('param: typed data is bound to the name and version of the domain', () => {
  const typed = (eip712: object) => ({
    context: { eip712: { deployments: [{ chainId: 1, address }], ...eip712 } },
    display: { formats: { 'Note(string words)': { fields: [] } } },
  })
  const domain = { name: 'Harbour', version: '2', chainId: 1, verifyingContract: address }
  expect(read(typed({ domain })).found[0]?.description.domain).toEqual({
    name: 'Harbour',
    version: '2',
  })
  const separated = read(typed({ domainSeparator: `0x${'11'.repeat(32)}` }))
  expect(separated.found).toEqual([])
  expect(separated.problems.join()).toContain('domainSeparator')
})

test('param: a format counts for each type of its name that the file has a schema for', () => {
  const schema = (name: string) => ({
    primaryType: 'Note',
    types: { Note: [{ name, type: 'string' }] },
  })
  const { found, problems } = read({
    context: {
      eip712: { deployments: [{ chainId: 1, address }], schemas: [schema('a'), schema('b')] },
    },
    display: { formats: { Note: { fields: [] } } },
  })
  expect(problems).toEqual([])
  expect(found.map(({ description }) => description.encodedType)).toEqual([
    'Note(string a)',
    'Note(string b)',
  ])
})

test.each([
  ['a deployment without a network', { context: { contract: { deployments: [{ address }] } } }],
  ['formats that are a list', { display: { formats: [] } }],
])('error: a file with %s is named', (_, more) => {
  const { found, problems } = read(fileOf([], more))
  expect(found).toEqual([])
  expect(problems).toHaveLength(1)
})

test.each(['a..b', 'a.[x]', 'a.[1', 'a]', 'a.[1:2:3]', '[--1]', 'a b', 'a.*'])(
  'error: a format with the path %s is named',
  (path) => {
    const { found, problems } = read(fileOf([{ path, label: 'Fee', format: 'raw' }]))
    expect(found).toEqual([])
    expect(problems.join()).toContain('path')
  },
)
