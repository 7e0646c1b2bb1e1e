import { expect, test } from 'vitest'
import { evmChain } from '../../test/testRequest.ts'
import type { FetchRisks, Risks } from '../flows/fetchRisks.ts'
import { addRisks, prefetchRisks } from './addRisks.ts'
import type { PreparedApproval } from './approvalRequest.ts'

const origin = 'https://app.example'
const spender = '0x6666666666666666666666666666666666666666'
const hidden = '0x7777777777777777777777777777777777777777'
const warning = { level: 'danger', text: 'There is no limit.' } as const

const prepared: PreparedApproval = {
  view: {
    title: 'Sign this data?',
    action: 'sign',
    groups: [{ label: 'Others may take', rows: [{ label: 'Who', address: spender }] }],
    rows: [
      { label: 'What is signed', tree: [{ depth: 1, label: 'to', value: hidden }] },
      { label: 'Message', text: 'hello' },
    ],
    place: [{ label: 'Network', value: 'One' }],
    warnings: [warning],
  },
  approve: async () => 'signed',
}

const quiet: Risks = { blockList: 'read', listed: [], young: [] }

/** Adds the risks that a server returns, and records its requests. */
async function add(answer: Partial<Risks>, given: PreparedApproval = prepared) {
  const asked: Parameters<FetchRisks>[0][] = []
  const fetchRisks: FetchRisks = async (one) => {
    asked.push(one)
    return { ...quiet, ...answer }
  }
  const added = await addRisks(given, { asked: { origin, chain: evmChain }, fetchRisks })
  return { added, asked }
}

test('default: listed sites and addresses are dangers, new contracts are cautions, also within data', async () => {
  const { added, asked } = await add({
    listed: [origin, hidden],
    young: [
      { address: spender, ageSeconds: 3_600 },
      { address: hidden, ageSeconds: 2 * 86_400 + 5 },
    ],
  })
  expect(asked).toEqual([{ origin, chainId: 'eip155:1', addresses: [spender, hidden] }])
  expect(added.view.warnings).toEqual([
    { level: 'danger', text: expect.stringContaining('This site is on a list') },
    {
      level: 'danger',
      text: `${hidden} is on a list of known scam addresses. Reject the request.`,
    },
    { level: 'caution', text: `The contract ${spender} was created within the last 24 hours.` },
    { level: 'caution', text: `The contract ${hidden} was created 2 days ago.` },
    warning,
  ])
})

test('behavior: looks up addresses on the pages of several transactions too', async () => {
  const { view } = prepared
  const paged = { ...view, groups: [], rows: [], transactions: [{ groups: view.groups, rows: [] }] }
  const { asked } = await add({}, { ...prepared, view: paged })
  expect(asked[0]?.addresses).toEqual([spender])
})

test('error: no answer removes or changes anything that the request shows or does', async () => {
  for (const answer of [
    {},
    { blockList: 'off' as const },
    { listed: ['https://other.example', `0x${'12'.repeat(20)}`, 'Safe site, press Approve'] },
    { young: [{ address: 'Trust this', ageSeconds: 1 }] },
  ]) {
    const { added } = await add(answer)
    expect(added.view).toEqual(prepared.view)
    expect(await added.approve()).toBe('signed')
  }
})

test('error: a list that could not be read is said quietly, and the request can be approved', async () => {
  const { added } = await add({ blockList: 'missing' })
  expect(added.view.warnings).toEqual([warning])
  expect(added.view.place).toContainEqual({
    label: 'List of scam sites',
    value: 'Could not be read',
  })
})

test('behavior: a rechecked or edited request has the same warnings', async () => {
  const { added } = await add(
    { listed: [origin] },
    { ...prepared, recheck: async () => prepared, edit: async () => prepared },
  )
  for (const next of [await added.recheck?.(), await added.edit?.(1n)])
    expect(next?.view.warnings).toHaveLength(2)
  const same = await add({}, { ...prepared, recheck: async () => undefined })
  expect(await same.added.recheck?.()).toBeUndefined()
  expect(same.added.edit).toBeUndefined()
})

test('behavior: looks up the page’s addresses first, the others later, and all again after the approval', async () => {
  const asked: (readonly string[])[] = []
  const fetchRisks: FetchRisks = async ({ addresses }) => {
    asked.push(addresses)
    const isHidden = addresses.includes(hidden)
    return isHidden
      ? { ...quiet, listed: [origin, hidden] }
      : { blockList: 'missing', listed: [origin], young: [{ address: spender, ageSeconds: 1 }] }
  }
  const params = [
    { from: '0x1', to: spender, data: `0x12345678${'0'.repeat(24)}${hidden.slice(2)}` },
  ]
  const site = { origin, chain: evmChain }
  const early = prefetchRisks(fetchRisks, { asked: site, params })
  expect(asked).toEqual([[spender]])
  const recheck = async () => prepared
  const added = await addRisks({ ...prepared, recheck }, { asked: site, fetchRisks: early })
  expect(asked).toEqual([[spender], [hidden]])
  expect(added.view.warnings).toEqual([
    { level: 'danger', text: expect.stringContaining('This site is on a list') },
    { level: 'danger', text: expect.stringContaining(hidden) },
    { level: 'caution', text: expect.stringContaining(spender) },
    warning,
  ])
  expect(added.view.place).toHaveLength(2)
  await added.recheck?.()
  expect(asked.slice(2)).toEqual([[spender, hidden]])
})

test('behavior: looks up every shown address, even if the page names many addresses or none', async () => {
  const asked: string[] = []
  const fetchRisks: FetchRisks = async ({ addresses }) => {
    asked.push(...addresses)
    return quiet
  }
  const junk = Array.from({ length: 40 }, (_, at) => `0x${String(at + 10).repeat(20)}`)
  for (const params of [[...junk, spender, hidden], undefined, 'no']) {
    asked.length = 0
    const site = { origin, chain: evmChain }
    await addRisks(prepared, {
      asked: site,
      fetchRisks: prefetchRisks(fetchRisks, { asked: site, params }),
    })
    expect(asked).toEqual(expect.arrayContaining([spender, hidden]))
  }
})

test('behavior: addresses that a page lists first do not keep the recipient from the age lookup', async () => {
  const maxAged = 5
  for (const count of [4, 5, 8, 12]) {
    const aged: string[] = []
    const fetchRisks: FetchRisks = async ({ addresses }) => {
      aged.push(...addresses.slice(0, maxAged))
      return quiet
    }
    const junk = Array.from({ length: count }, (_, at) => `0x${String(at + 10).repeat(20)}`)
    const site = { origin, chain: evmChain }
    await addRisks(prepared, {
      asked: site,
      fetchRisks: prefetchRisks(fetchRisks, { asked: site, params: [{ junk, to: spender }] }),
    })
    expect(aged).toEqual(expect.arrayContaining([spender, hidden]))
  }
})
