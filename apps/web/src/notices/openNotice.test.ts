import { type App, createApp } from '@latchkey/core'
import { latchkeyOne, solana } from '@latchkey/core/networks'
import type { ChainId, Namespace } from '@latchkey/wire'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { followPresses } from './followPresses.ts'
import { type NoticeSubject, writeNoticeLink } from './noticeLink.ts'
import { openNotice } from './openNotice.ts'

const address = 'FVxyViz2CgWWuFXEmYiFsBPGxbZC4vVzrxYq7vpuMdKq'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const chainId: ChainId = solana.caipNetworkId
const transactionId = 'received'
const transaction = {
  id: transactionId,
  metadata: {
    ...{ operationType: 'receive', hash: transactionId, minedAt: '2026-08-01T12:00:05Z' },
    ...{ sentFrom: alice, sentTo: address, status: 'confirmed', nonce: 0, chain: chainId },
  },
  transfers: [],
}
const subject: NoticeSubject = { chainId, address, transactionId, isOne: true }
let seen: readonly string[]
let allowancesOf: string | undefined

beforeEach(() => {
  seen = [transactionId]
  allowancesOf = `${chainId}:${address}`
  const noted = () => ({
    ...{ readAtMs: 0, allowancesAtMs: 0, turns: 0, allowancesOf },
    accounts: { [`${chainId}:${address}`]: { sinceMs: 0, seen } },
  })
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(noted()) })
  vi.stubGlobal('location', { search: '' })
  return () => vi.unstubAllGlobals()
})

const connected = (namespace: Namespace, [chain, account]: readonly [ChainId, string]) => {
  const own = { namespace, address: account, type: 'eoa' as const }
  return {
    ...({ status: 'connected', connectorId: namespace, accounts: [own], account: own } as const),
    ...{ chainId: chain, caipAddress: `${chain}:${account}` as const },
  }
}

/** An app with accounts of EVM, which is selected, and Solana. */
function start(): App {
  const app = createApp(
    { projectId: 'local', apiUrl: 'https://api.example', networks: [latchkeyOne, solana] },
    { fetch: async () => Response.json({ data: [transaction], next: null }) },
  )
  app.store.setState(({ connections }) => ({
    connections: {
      ...connections,
      eip155: connected('eip155', [latchkeyOne.caipNetworkId, alice]),
      solana: connected('solana', [chainId, address]),
    },
  }))
  return app
}

const press = async (parameters: Partial<NoticeSubject>) => {
  const app = start()
  await openNotice(app, writeNoticeLink({ ...subject, ...parameters }).split('?')[1] ?? '')
  const { activeChainId, modal } = app.store.getState()
  app.destroy()
  return { activeChainId, view: modal.history[0] }
}

test('default: the account and the network of the transaction are selected, and it is shown', async () => {
  const { activeChainId, view } = await press({})
  expect(activeChainId).toBe(chainId)
  expect(view).toMatchObject({ name: 'ActivityDetail', transaction: { id: transactionId } })
})

test('behavior: a notice about several transactions selects the network alone', async () => {
  expect(await press({ isOne: false })).toEqual({ activeChainId: chainId, view: undefined })
})

test('behavior: a notice about allowances selects its account and network, if it was the last', async () => {
  const allowances = { transactionId: undefined, isOne: false }
  expect(await press(allowances)).toEqual({ activeChainId: chainId, view: undefined })
  allowancesOf = undefined
  const nothing = { activeChainId: latchkeyOne.caipNetworkId, view: undefined }
  expect(await press(allowances)).toEqual(nothing)
})

test('hostile link: a transaction that no notice has reported, and other accounts, change nothing', async () => {
  const nothing = { activeChainId: latchkeyOne.caipNetworkId, view: undefined }
  expect(await press({ address: alice })).toEqual(nothing)
  expect(await press({ chainId: 'solana:other' })).toEqual(nothing)
  seen = []
  expect(await press({})).toEqual(nothing)
})

test('behavior: nothing is taken from the view in which the user is', async () => {
  const app = start()
  app.store.setState(({ modal }) => ({
    modal: { ...modal, open: true, history: [{ name: 'Send' }] },
  }))
  await openNotice(app, writeNoticeLink(subject).split('?')[1] ?? '')
  expect(app.store.getState().activeChainId).toBe(latchkeyOne.caipNetworkId)
  expect(app.store.getState().modal.history).toEqual([{ name: 'Send' }])
  app.destroy()
})

/** Follows presses from a page; returns what the page and the service worker do. */
function follow(at: { pathname: string; search: string }) {
  const app = start()
  const serviceWorker = new EventTarget()
  const [pushState, replaceState] = [vi.fn(), vi.fn()]
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('window', Object.assign(new EventTarget(), { scrollTo: () => {} }))
  vi.stubGlobal('location', at)
  vi.stubGlobal('history', { pushState, replaceState })
  const stop = followPresses(app)
  onTestFinished(() => {
    stop()
    app.destroy()
  })
  return {
    stop,
    pushState,
    press: (data: unknown) => serviceWorker.dispatchEvent(new MessageEvent('message', { data })),
    findView: () => app.store.getState().modal.history[0],
  }
}

const shown = { name: 'ActivityDetail', transaction: { id: transactionId } }

test('default: a pressed notice opens its page and its transaction without a load, and no other path', async () => {
  const { press, pushState, findView, stop } = follow({ pathname: '/send', search: '?x' })
  for (const data of ['/allowances', '//evil.example', '/send?x', { path: '/activity' }, null])
    press(data)
  expect(pushState.mock.calls).toEqual([[null, '', '/allowances']])
  press(writeNoticeLink(subject))
  expect(pushState.mock.lastCall).toEqual([null, '', '/activity'])
  await expect.poll(findView).toMatchObject(shown)
  stop()
  press('/activity')
  expect(pushState).toHaveBeenCalledTimes(2)
})

test('behavior: the notice that has opened the page is followed', async () => {
  const [pathname = '', search] = writeNoticeLink(subject).split('?')
  const { pushState, findView } = follow({ pathname, search: `?${search}` })
  await expect.poll(findView).toMatchObject(shown)
  expect(pushState).not.toHaveBeenCalled()
})
