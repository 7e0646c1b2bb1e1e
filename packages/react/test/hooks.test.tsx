import {
  bitcoin,
  closeModal,
  connect,
  disconnect,
  latchkeyOne,
  loginEmail,
  polkadot,
  solana,
  walletConnectId,
} from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import {
  ConnectButton,
  LatchkeyProvider,
  useAccount,
  useActivity,
  useBalances,
  useCallsStatus,
  useCapabilities,
  useConnect,
  useFeatures,
  useProvider,
  useRequest,
  useSendCalls,
  useWallets,
} from '../src/index.ts'
import { usePublicClient, useWalletClient } from '../src/viem.ts'
import { createFakePairing } from './fakes/fakePairing.ts'
import type { FrameScript } from './frame/main.ts'
import { alice, announce, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'

// The data from which an app builds its own screens.

let wallet: FakeWallet
let silence: () => void

beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

function Hook<Value>({ use: useHook, into }: { use: () => Value; into: { now?: Value } }) {
  into.now = useHook()
  return null
}

/** Renders nothing, and returns the current result of the hook. */
async function run<Value>(useHook: () => Value, app = testApp()) {
  const shown: { now?: Value } = {}
  await render(
    <LatchkeyProvider app={app}>
      <Hook use={useHook} into={shown} />
    </LatchkeyProvider>,
  )
  const join = () => connect(app, { connectorId: 'test.fieldwork' })
  return { app, join, now: () => shown.now as Value }
}

test('default: useWallets lists a wallet of this browser, which connects without the modal', async () => {
  const { app, now } = await run(() => ({ ...useWallets(), account: useAccount() }))
  const [one] = now().wallets
  expect(one).toMatchObject({ name: 'Fieldwork', installed: true, recent: false })
  expect(one?.imageUrl).toMatch(/^data:image/)
  await one?.connectAsync()
  await expect.poll(() => now().account.address).toBe(alice)
  expect(now().wallets[0]).toMatchObject({ name: 'Fieldwork', recent: true })
  expect(app.store.getState().modal.open).toBe(false)
})

test('param: useWallets with the directory lists its wallets too, and connects them by WalletConnect', async () => {
  const pairing = createFakePairing({ firstUri: 'wc:aa@2?relay-protocol=irn&symKey=bb' })
  const app = testApp({}, {}, { pairing })
  const { now } = await run(() => ({ ...useWallets({ directory: true }), ...useAccount() }), app)
  await expect.poll(() => now().wallets.map(({ name }) => name)).toContain('Alder')
  const alder = now().wallets.find(({ name }) => name === 'Alder')
  expect(alder).toMatchObject({ installed: false, recent: false })
  expect(alder?.methods[0]).toBe('code')
  expect(alder?.imageUrl).toContain('/getWalletImage/')
  const connecting = alder?.connectAsync()
  await expect.poll(() => now().uri).toMatch(/^wc:/)
  expect(pairing.latest().wallet?.name).toBe('Alder')
  pairing.latest().approve()
  await connecting
  await expect.poll(() => now().address).toBe(alice)
})

test('behavior: without a relay for phones, useWallets says how a wallet of the directory is reached, and shows it in the modal', async () => {
  const pairing = createFakePairing()
  const app = testApp({ wallets: { walletConnect: {} } }, {}, { pairing })
  const { now } = await run(() => useWallets({ directory: true }), app)
  await expect.poll(() => now().wallets.map(({ name }) => name)).toContain('Alder')
  const alder = now().wallets.find(({ name }) => name === 'Alder')
  // No code that no phone could use.
  expect(alder?.methods).toEqual([])
  const connecting = alder?.connectAsync()
  expect(app.store.getState().modal.history.at(-1)).toMatchObject({ name: 'Downloads' })
  expect(now().uri).toBeUndefined()
  closeModal(app)
  await expect(connecting).rejects.toMatchObject({ code: 'USER_REJECTED' })
  const again = alder?.connectAsync()
  await now()
    .wallets.find(({ installed }) => installed)
    ?.connectAsync()
  expect(await again).toMatchObject({ status: 'connected' })
})

test('param: namespace: the accounts of one session in four namespaces, each with its own address', async () => {
  const networks = [latchkeyOne, solana, bitcoin, polkadot] as const
  const addresses = {
    eip155: alice,
    solana: '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS',
    bip122: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    polkadot: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  }
  const [first, ...others] = networks.map(
    ({ chainNamespace: namespace, caipNetworkId: chainId }) => {
      const label = namespace === 'bip122' ? { label: 'ordinals' as const } : {}
      const account = { namespace, address: addresses[namespace], type: 'eoa', ...label } as const
      return { accounts: [account], chainId } as const
    },
  )
  const pairing = createFakePairing()
  const { connector } = pairing
  const info = {
    ...connector.info,
    namespaces: ['eip155', 'solana', 'bip122', 'polkadot'] as const,
  }
  const asked: string[] = []
  const other = ({ pathname }: URL) => void asked.push(pathname)
  const app = testApp(
    { networks },
    { other },
    { pairing: { ...pairing, connector: { ...connector, info } } },
  )
  const { now } = await run(
    () => ({
      active: useAccount(),
      eip155: useAccount({ namespace: 'eip155' }),
      solana: useAccount({ namespace: 'solana' }),
      bip122: useAccount({ namespace: 'bip122' }),
      polkadot: useAccount({ namespace: 'polkadot' }),
      balances: useBalances({ namespace: 'polkadot' }),
    }),
    app,
  )
  const connecting = connect(app, { connectorId: walletConnectId })
  await expect.poll(() => pairing.attempts.length).toBe(1)
  pairing.latest().approve({ ...first, others })
  await connecting
  await expect.poll(() => now().polkadot.status).toBe('connected')
  expect(now().active.address).toBe(alice)
  for (const { chainNamespace: namespace, caipNetworkId: chainId } of networks)
    expect(now()[namespace]).toMatchObject({
      chainId,
      address: addresses[namespace],
      caipAddress: `${chainId}:${addresses[namespace]}`,
      accounts: [{ namespace, address: addresses[namespace] }],
    })
  expect(now().bip122.addressLabels).toEqual({ [addresses.bip122]: 'ordinals' })
  expect(now().eip155.addressLabels).toEqual({})
  // No server has balances of Polkadot here, so no server gets a request.
  expect(now().balances).toMatchObject({
    isAvailable: false,
    isLoading: false,
    data: undefined,
  })
  expect(asked.filter((path) => path.includes(addresses.polkadot))).toEqual([])
  app.destroy()
})

test('behavior: useWallets without the directory asks no server', async () => {
  let asked = 0
  const wallets = () => {
    asked += 1
    return { count: 0, data: [] }
  }
  const { now } = await run(useWallets, testApp({}, { wallets }))
  expect(now().wallets.map(({ name }) => name)).toEqual(['Fieldwork'])
  expect(asked).toBe(0)
})

test('default: useRequest asks the connected wallet', async () => {
  const { now, join } = await run(useRequest)
  await expect(now().requestAsync({ method: 'eth_chainId' })).rejects.toMatchObject({
    code: 'NOT_CONNECTED',
  })
  await join()
  expect(await now().requestAsync({ method: 'eth_chainId' })).toBe('0x7a69')
  await expect.poll(() => now().status).toBe('success')
})

test('error: a wallet that is declined leaves its error in useWallets, and no unhandled rejection', async () => {
  const { now } = await run(useWallets)
  await expect.poll(() => now().wallets.length).toBe(1)
  wallet.answers.eth_requestAccounts = () => Promise.reject({ code: 4001, message: 'No' })
  const rejections: unknown[] = []
  const note = (event: PromiseRejectionEvent) => rejections.push(event.reason)
  addEventListener('unhandledrejection', note)
  expect(now().wallets[0]?.connect()).toBeUndefined()
  await expect.poll(() => now().isError).toBe(true)
  const variables = { id: now().wallets[0]?.id }
  expect(now()).toMatchObject({ error: { code: 'USER_REJECTED' }, variables })
  removeEventListener('unhandledrejection', note)
  expect(rejections).toEqual([])
})

test('error: a data hook refuses a network that the app does not have, and reads no other', async () => {
  const app = testApp()
  const failed = (use: () => unknown) =>
    run(use, app).then(
      () => undefined,
      (error: Error) => error.message,
    )
  const chainId = 'eip155:999'
  const message = 'The network eip155:999 is not one of the networks of this app'
  expect(await failed(() => useBalances({ address: alice, chainId }))).toBe(message)
  expect(await failed(() => usePublicClient({ chainId }))).toBe(message)
})

test('default: useProvider is the connected wallet by EIP-1193', async () => {
  const { now, join } = await run(useProvider)
  expect(now()).toBeUndefined()
  await join()
  await expect.poll(() => now()?.request({ method: 'eth_accounts' })).toEqual([alice])
})

test('default: useWalletClient and usePublicClient are viem through the wallet and through the server', async () => {
  const { now, join } = await run(() => ({ own: useWalletClient().data, all: usePublicClient() }))
  expect(now().own).toBeUndefined()
  expect(await now().all.getBalance({ address: alice })).toBe(10_000n * 10n ** 18n)
  await join()
  await expect.poll(() => now().own?.account.address).toBe(alice)
  expect(now().own?.chain.id).toBe(31337)
  wallet.answers.personal_sign = () => '0xabcd'
  expect(await now().own?.signMessage({ message: 'hello' })).toBe('0xabcd')
  expect(wallet.calls.at(-1)).toEqual({ method: 'personal_sign', params: ['0x68656c6c6f', alice] })
})

test('error: usePublicClient repeats why the server refuses a network, without another try', async () => {
  const description = "We don't support the chainId you provided: eip155:31337"
  let asked = 0
  const other = ({ pathname }: URL) => {
    if (pathname !== '/v1/') return undefined
    asked += 1
    const reasons = [{ field: 'chainId', description }]
    return new Response(JSON.stringify({ status: 'FAILED', reasons }), { status: 400 })
  }
  const { now } = await run(usePublicClient, testApp({}, { other }))
  await expect(now().getBalance({ address: alice })).rejects.toThrow(description)
  expect(asked).toBe(1)
})

test('default: ConnectButton.Custom makes a custom button that opens the modal and shows the account', async () => {
  const app = testApp()
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton.Custom>
        {({ address, network, open, prefetch }) => (
          <button type="button" onPointerEnter={prefetch} onClick={open}>
            {address ?? 'Enter'} on {network.name}
          </button>
        )}
      </ConnectButton.Custom>
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: 'Enter on Latchkey One' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Fieldwork Installed' }).click()
  await expect
    .element(page.getByRole('button', { name: `${alice} on Latchkey One` }))
    .toBeInTheDocument()
})

test('default: useSendCalls gives the id of a batch, which useCallsStatus follows until it is final', async () => {
  const id = `0x${'cd'.repeat(32)}`
  const statuses = [100, 200]
  wallet.answers.wallet_sendCalls = () => ({ id })
  wallet.answers.wallet_getCallsStatus = () => ({
    status: statuses.shift(),
    atomic: true,
    chainId: '0x7a69',
  })
  const { join, now } = await run(() => {
    const sending = useSendCalls()
    return { sending, followed: useCallsStatus({ id: sending.data }) }
  })
  await join()
  expect(now().followed.data).toBeUndefined()
  await now().sending.sendCallsAsync({ calls: [{ to: alice, value: 1n }] })
  await expect.poll(() => now().sending.data).toBe(id)
  await expect.poll(() => now().followed.data?.status).toBe('pending')
  await expect
    .poll(() => now().followed.data)
    .toMatchObject({ status: 'confirmed', isAtomic: true })
  expect(statuses).toEqual([])
})

test('behavior: useCapabilities says what the wallet can do, and asks again once its account is another kind', async () => {
  const script: FrameScript = { calls: [], answers: {} }
  Object.assign(window, { frameScript: script })
  let atomic = 'ready'
  script.answers.APP_CONNECT_EMAIL = () => ({ action: 'CONNECT' })
  script.answers.APP_RPC_REQUEST = ({ method }) =>
    method === 'wallet_getCapabilities' ? { '0x7a69': { atomic: { status: atomic } } } : null
  const { app, now } = await run(() => useCapabilities(), testApp({ frameUrl: location.origin }))
  expect(now().data).toBeUndefined()
  await loginEmail(app, { email: 'ada@mail.example' })
  await expect.poll(() => now().data).toEqual({ atomic: 'ready', isSponsored: false })
  atomic = 'supported'
  script.line?.emit('FRAME_ACCOUNT_TYPE', { address: alice, type: 'smartAccount' })
  await expect.poll(() => now().data).toEqual({ atomic: 'supported', isSponsored: false })
  app.destroy()
})

test('behavior: an action never rejects into a click, the latest run wins, and a disconnect forgets it', async () => {
  const { app, join, now } = await run(() => useRequest())
  await join()
  const answers: ((value: unknown) => void)[] = []
  wallet.answers.custom_read = () => new Promise((resolve) => answers.push(resolve))
  wallet.answers.custom_refuse = () => Promise.reject({ code: 4001, message: 'No' })
  const rejections: unknown[] = []
  const note = (event: PromiseRejectionEvent) => rejections.push(event.reason)
  addEventListener('unhandledrejection', note)
  const failures: Error[] = []
  expect(
    now().request({ method: 'custom_refuse' }, { onError: (error) => failures.push(error) }),
  ).toBeUndefined()
  await expect.poll(() => now().status).toBe('error')
  expect(now()).toMatchObject({ isError: true, data: undefined, error: { code: 'USER_REJECTED' } })
  expect(now().variables).toEqual({ method: 'custom_refuse' })
  expect(failures).toEqual([now().error])
  await expect(now().requestAsync({ method: 'custom_refuse' })).rejects.toThrow()

  const results: unknown[] = []
  const onSuccess = (data: unknown) => results.push(data)
  now().request({ method: 'custom_read' }, { onSuccess })
  now().request({ method: 'custom_read' }, { onSuccess })
  await expect.poll(() => answers.length).toBe(2)
  await expect.poll(() => now()).toMatchObject({ isPending: true, error: null })
  answers[1]?.('newer')
  await expect.poll(() => now().data).toBe('newer')
  answers[0]?.('older')
  // The third run's response arrives after the first run's.
  const third = now().requestAsync({ method: 'custom_read' })
  await expect.poll(() => answers.length).toBe(3)
  answers[2]?.('newest')
  await third
  await expect.poll(() => now().data).toBe('newest')
  expect(results).toEqual(['newer'])

  await disconnect(app)
  await expect.poll(() => now()).toMatchObject({ status: 'idle', isIdle: true, data: undefined })
  removeEventListener('unhandledrejection', note)
  expect(rejections).toEqual([])
})

test('behavior: a declined second connection leaves its error, and what other actions returned', async () => {
  const { join, now } = await run(() => ({ connecting: useConnect(), asking: useRequest() }))
  await join()
  await now().asking.requestAsync({ method: 'eth_accounts' })
  await expect.poll(() => now().asking.status).toBe('success')
  wallet.answers.eth_requestAccounts = () => Promise.reject({ code: 4001, message: 'No' })
  now().connecting.connect({ connectorId: 'test.fieldwork' })
  await expect.poll(() => now().connecting.error).toMatchObject({ code: 'USER_REJECTED' })
  expect(now().connecting.status).toBe('error')
  expect(now().asking.status).toBe('success')
})

test('param: address, chainId and query of a data hook', async () => {
  const app = testApp()
  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const { now } = await run(
    () => ({
      off: useActivity({ address: other, query: { enabled: false } }),
      chainId: useFeatures({ chainId: 'eip155:31338' }),
      account: useAccount({ namespace: 'eip155' }),
    }),
    app,
  )
  expect(now().off).toMatchObject({
    ...{ data: undefined, status: 'pending', isPending: true, isFetching: false, error: null },
    ...{ hasNextPage: false, isFetchingNextPage: false },
  })
  const { account } = now()
  if (account.isConnected) account.address satisfies `0x${string}`
  else account.address satisfies undefined
})
