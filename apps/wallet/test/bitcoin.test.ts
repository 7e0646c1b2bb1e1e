import { type Bitcoin, startBitcoin } from '@latchkey/dev'
import { parseBitcoinAddress, verifyBitcoinMessage } from '@latchkey/wire/bitcoin'
import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bitcoinAccounts } from '../src/bitcoin/accounts.ts'
import { injectSatsConnect } from '../src/extension/satsConnect.ts'
import { prepareRequest, toOutcome } from '../src/requests/prepareRequest.ts'
import type { PreparedRequest } from '../src/requests/walletRequest.ts'
import { readState } from '../src/state.ts'

const origin = 'https://app.example'
const [own, other] = bitcoinAccounts

let bitcoin: Bitcoin
beforeAll(async () => {
  bitcoin = await startBitcoin({ blockDelayMs: 'never' })
})
afterAll(() => bitcoin?.stop())

/**
 * A page's provider whose wallet approves everything, on the real chain; also returns what the
 * wallet showed.
 */
type SatsConnect = {
  request(method: string, params?: object): Promise<{ result?: unknown; error?: unknown }>
}

function openWallet(decision: 'approve' | 'reject' = 'approve') {
  const shown: PreparedRequest[] = []
  const config = {
    chains: [
      {
        chainId: 31_337,
        name: 'Latchkey One',
        rpcUrl: 'http://127.0.0.1:1',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      },
    ],
    polkadot: [],
    bitcoin: { name: 'Latchkey Bitcoin', esploraUrl: bitcoin.url },
  }
  const state = { ...readState(), bitcoinSites: { [origin]: { sinceMs: 0 } } }
  const request = async (input: unknown) => {
    const call = input as { method: string; params?: unknown }
    if (call.method === 'bip122_getAddresses') call.method = 'bip122_requestAddresses'
    try {
      const switchTo = async () => {}
      const prepared = await prepareRequest({ origin, call, config, state, switchTo })
      if ('result' in prepared) return prepared.result
      shown.push(prepared)
      if (decision === 'reject') throw { code: 4001, message: 'No' }
      return await prepared.approve?.()
    } catch (error) {
      const outcome = toOutcome(error)
      throw (error as { code?: unknown }).code === 4001
        ? error
        : 'error' in outcome && outcome.error
    }
  }
  const provider = { request, on: () => provider, removeListener: () => provider }
  const page = {} as { LatchkeyBitcoin: SatsConnect }
  vi.stubGlobal('window', page)
  injectSatsConnect(provider as never, { name: 'Wallet', icon: '' })
  vi.unstubAllGlobals()
  const wallet = page.LatchkeyBitcoin
  return { wallet, shown }
}

const getAmounts = (shown: readonly PreparedRequest[]) =>
  shown[0]?.rows.map(({ label, value }) => `${label}: ${value}`)

test('default: sats-connect’s addresses, and messages by both protocols', async () => {
  const { wallet } = openWallet()
  const { result } = await wallet.request('wallet_connect')
  expect(result).toMatchObject({
    addresses: [
      { address: own.payment, purpose: 'payment', addressType: 'p2wpkh' },
      { address: own.ordinals, purpose: 'ordinals', addressType: 'p2tr' },
    ],
  })
  const message = 'Hello'
  for (const [address, protocol] of [
    [own.payment, 'ECDSA'],
    [own.payment, 'BIP322'],
    [own.ordinals, 'BIP322'],
  ] as const) {
    const answer = await wallet.request('signMessage', { address, message, protocol })
    const { signature } = answer.result as { signature: string }
    expect(verifyBitcoinMessage({ address, network: 'regtest', message, signature })).toBe(true)
    // 65 bytes are BIP-137's, and nothing that BIP-322 makes.
    expect(Buffer.from(signature, 'base64').length === 65).toBe(protocol === 'ECDSA')
  }
})

test('default: a transfer shows payment, change and fee, and arrives', async () => {
  const { wallet, shown } = openWallet()
  const recipients = [{ address: other.payment, amount: 30_000 }]
  const { result } = await wallet.request('sendTransfer', { recipients })
  const rows = getAmounts(shown) ?? []
  expect(shown[0]?.title).toBe('Send bitcoin?')
  expect(rows).toContain(`1. Pays: 0.0003 BTC · ${other.payment}`)
  expect(rows.some((row) => /^2\. Back to you: 2\.99\d+ BTC/.test(row))).toBe(true)
  expect(rows.some((row) => /^Fee: 0\.0000\d+ BTC$/.test(row))).toBe(true)
  const { txid } = result as { txid: string }
  const response = await fetch(`${bitcoin.url}/tx/${txid}`)
  const { vout } = (await response.json()) as { vout: { value: number }[] }
  expect(vout.map(({ value }) => value)).toContain(30_000)
})

test('error: refusals and bad requests have the protocol’s codes, and nothing is sent', async () => {
  const { wallet, shown } = openWallet('reject')
  const recipients = [{ address: other.payment, amount: 30_000 }]
  const ask = (method: string, params?: object) => wallet.request(method, params)
  expect(await ask('sendTransfer', { recipients })).toMatchObject({ error: { code: -32000 } })
  expect(shown).toHaveLength(1)
  const codes = await Promise.all([
    ask('sendTransfer', { recipients: [...recipients, ...recipients] }),
    ask('sendTransfer', {
      recipients: [{ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: 1_000 }],
    }),
    ask('sendTransfer', { recipients: [{ address: other.payment, amount: -1 }] }),
    ask('signMessage', { address: own.ordinals, message: 'a', protocol: 'ECDSA' }),
    ask('signPsbt', { psbt: 'cHNidP8=', signInputs: {}, broadcast: true }),
    ask('stx_signMessage'),
  ])
  expect(codes.map(({ error }) => (error as { code: number }).code)).toEqual([
    -32602, -32602, -32602, -32602, -32602, -32601,
  ])
  const dust = [{ address: other.payment, amount: 293 }]
  expect(await ask('sendTransfer', { recipients: dust })).toMatchObject({
    error: { message: expect.stringContaining('0.00000294 BTC') },
  })
  const tooMuch = [{ address: other.payment, amount: 600_000_000 }]
  expect(await ask('sendTransfer', { recipients: tooMuch })).toMatchObject({
    error: { message: expect.stringContaining('funds') },
  })
  expect(shown).toHaveLength(1)
})

/** A PSBT for the wallet to sign that spends coins of the payment address. */
const psbtOf = (
  outputs: readonly { address: string; sats: bigint }[],
  more: { sighashType?: number } = {},
) => {
  const { script = new Uint8Array() } = parseBitcoinAddress(own.payment, 'regtest') ?? {}
  const transaction = new Transaction()
  transaction.addInput({
    ...{ txid: '11'.repeat(32), index: 0, witnessUtxo: { script, amount: 300_000_000n } },
    ...more,
  })
  for (const { address, sats } of outputs) {
    const to = parseBitcoinAddress(address, 'regtest')?.script ?? new Uint8Array()
    transaction.addOutput({ script: to, amount: sats })
  }
  return {
    psbt: Buffer.from(transaction.toPSBT()).toString('base64'),
    signInputs: { [own.payment]: [0] },
  }
}

test('undo: a sighash type that the PSBT alone names is warned of', async () => {
  const { wallet, shown } = openWallet()
  const outputs = [{ address: own.payment, sats: 299_999_000n }]
  await wallet.request('signPsbt', psbtOf(outputs))
  await wallet.request('signPsbt', psbtOf(outputs, { sighashType: 1 }))
  for (const sighashType of [2, 3, 0x81, 0x82, 0x83])
    await wallet.request('signPsbt', psbtOf(outputs, { sighashType }))
  expect(shown.map(({ warning }) => warning?.includes('change parts') ?? false)).toEqual([
    ...[false, false],
    ...[true, true, true, true, true],
  ])
})

test('undo: each output is shown, and a transaction of more than 500 is refused', async () => {
  const { wallet, shown } = openWallet()
  const back = (count: number) => Array(count).fill({ address: own.payment, sats: 1_000n })
  const paid = { address: other.payment, sats: 299_000_000n }
  await wallet.request('signPsbt', psbtOf([...back(150), paid]))
  expect(getAmounts(shown)).toContain(`151. Pays: 2.99 BTC · ${other.payment}`)
  expect(await wallet.request('signPsbt', psbtOf(back(501)))).toMatchObject({
    error: { code: -32602 },
  })
})
