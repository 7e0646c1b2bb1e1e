import { p2tr, p2wpkh, Transaction, WIF } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'

// The key of BIP-322's test vectors, with the addresses and signatures that are published there.
const privateKey = WIF().decode('L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k')
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The address for payments; `signature` is its signature of "Hello World". */
export const payment = {
  address: 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
  publicKey: toHex(pubECDSA(privateKey)),
  script: p2wpkh(pubECDSA(privateKey)).script,
  signature:
    'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
}
/** The Taproot address of the same key. */
export const ordinals = {
  address: 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3',
  publicKey: toHex(pubSchnorr(privateKey)),
  script: p2tr(pubSchnorr(privateKey)).script,
  signature:
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
}

/**
 * A PSBT that spends an output of each address and pays another address; `outputs` are the amounts.
 */
export function buildPsbt(outputs: readonly bigint[] = [150_000n, 40_000n]): Transaction {
  const psbt = new Transaction()
  for (const [index, { script }] of [payment, ordinals].entries())
    psbt.addInput({ txid: 'ab'.repeat(32), index, witnessUtxo: { script, amount: 100_000n } })
  psbt.addOutputAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', outputs[0] ?? 0n)
  psbt.addOutput({ script: payment.script, amount: outputs[1] ?? 0n })
  return psbt
}

/** Signs inputs with the key. */
export function signPsbt(bytes: Uint8Array, indexes: readonly number[]): Uint8Array {
  const psbt = Transaction.fromPSBT(bytes)
  for (const index of indexes) {
    if (index === 1) psbt.updateInput(1, { tapInternalKey: pubSchnorr(privateKey) })
    psbt.signIdx(privateKey, index)
  }
  return psbt.toPSBT()
}

/** The behavior of the fake wallets below. A test changes it to return false data. */
export type Behavior = {
  addresses: readonly { address: string; publicKey: string }[]
  signMessage: (address: string, protocol: string) => string
  signPsbt: (psbt: Uint8Array, indexes: readonly number[]) => Uint8Array
  /** The requests, in order. */
  calls: string[]
  refuse?: object
  /** A promise that silent requests wait for. */
  beforeSilentAnswer?: Promise<void>
}

export const createBehavior = (): Behavior => ({
  addresses: [payment, ordinals],
  signMessage: (address) => (address === ordinals.address ? ordinals : payment).signature,
  signPsbt,
  calls: [],
})

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const fromBase64 = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))

/** A wallet of the Wallet Standard. `change` notifies the page of other accounts. */
export function createStandardWallet(behavior: Behavior, name = 'Stone Wallet') {
  const listeners = new Set<(change: unknown) => void>()
  const chains = ['bitcoin:mainnet']
  const toAccounts = () =>
    behavior.addresses.map(({ address, publicKey }) => ({
      address,
      publicKey: Uint8Array.from(Buffer.from(publicKey, 'hex')),
      chains,
      features: ['bitcoin:signMessage', 'bitcoin:signTransaction'],
    }))
  type Account = { address: string }
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains,
    accounts: [] as readonly Account[],
    features: {
      'bitcoin:connect': {
        connect: async ({ purposes }: { purposes: readonly string[] }) => {
          behavior.calls.push(`connect ${purposes.join()}`)
          if (behavior.refuse) throw behavior.refuse
          wallet.accounts = toAccounts()
          return { accounts: wallet.accounts }
        },
      },
      'standard:connect': {
        connect: async ({ silent }: { silent?: boolean } = {}) => {
          behavior.calls.push(silent ? 'silent' : 'connect')
          if (silent) await behavior.beforeSilentAnswer
          return { accounts: wallet.accounts }
        },
      },
      'standard:events': {
        on: (_: string, listener: (change: unknown) => void) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'bitcoin:signMessage': {
        signMessage: async ({ account, message }: { account: Account; message: Uint8Array }) => {
          behavior.calls.push(`signMessage ${new TextDecoder().decode(message)}`)
          return [{ signature: fromBase64(behavior.signMessage(account.address, '')) }]
        },
      },
      'bitcoin:signTransaction': {
        signTransaction: async (input: {
          psbt: Uint8Array
          chain: string
          inputsToSign: { account: Account; signingIndexes: number[] }[]
        }) => {
          behavior.calls.push(`signPsbt ${input.chain}`)
          const indexes = input.inputsToSign.flatMap(({ signingIndexes }) => signingIndexes)
          return [{ signedPsbt: behavior.signPsbt(input.psbt, indexes) }]
        },
      },
    },
  }
  return {
    wallet,
    change() {
      wallet.accounts = toAccounts()
      for (const listener of listeners) listener({ accounts: toAccounts() })
    },
    register(page: EventTarget) {
      const register = (api: { register(wallet: unknown): void }) => api.register(wallet)
      page.addEventListener('wallet-standard:app-ready', (event) =>
        register((event as CustomEvent).detail),
      )
      page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
    },
  }
}

/** A wallet of the sats-connect protocol, which injects itself into the page. */
export function createSatsConnectWallet(behavior: Behavior) {
  let listener: ((event: unknown) => void) | undefined
  const toAddresses = () =>
    behavior.addresses.map((one) => ({
      ...one,
      purpose: one.address.startsWith('bc1p') ? 'ordinals' : 'payment',
    }))
  const answers: Record<string, (params: never) => unknown> = {
    wallet_connect: ({ addresses, network }: { addresses: string[]; network: string }) => {
      behavior.calls.push(`connect ${addresses.join()} ${network}`)
      return { addresses: toAddresses() }
    },
    wallet_getAccount: async () => {
      await behavior.beforeSilentAnswer
      return { addresses: toAddresses() }
    },
    signMessage: (params: { address: string; message: string; protocol: string }) => {
      behavior.calls.push(`signMessage ${params.message} ${params.protocol}`)
      return { signature: behavior.signMessage(params.address, params.protocol) }
    },
    signPsbt: (params: { psbt: string; signInputs: Record<string, number[]> }) => {
      behavior.calls.push('signPsbt')
      const indexes = Object.values(params.signInputs).flat()
      return { psbt: base64(behavior.signPsbt(fromBase64(params.psbt), indexes)) }
    },
    sendTransfer: (params: { recipients: { address: string; amount: number }[] }) => {
      behavior.calls.push(`sendTransfer ${JSON.stringify(params.recipients)}`)
      return { txid: 'cd'.repeat(32) }
    },
  }
  const provider = {
    async request(method: string, params: never) {
      const answer = answers[method]
      if (behavior.refuse) return { jsonrpc: '2.0', error: behavior.refuse }
      if (!answer) return { jsonrpc: '2.0', error: { code: -32601, message: 'no such method' } }
      return { jsonrpc: '2.0', result: await answer(params) }
    },
    addListener(_: string, heard: (event: unknown) => void) {
      listener = heard
      return () => {
        listener = undefined
      }
    },
  }
  return {
    provider,
    change: () => listener?.({ type: 'accountChange', addresses: toAddresses() }),
    register(page: object) {
      const entry = { id: 'Stone.Provider', name: 'Stone Wallet', methods: Object.keys(answers) }
      Object.assign(page, { Stone: { Provider: provider }, btc_providers: [entry] })
    },
  }
}

/** A wallet that injects itself like UniSat; it has one address at a time. */
export function createInjectedWallet(behavior: Behavior) {
  let listener: ((accounts: unknown) => void) | undefined
  const first = () => behavior.addresses.slice(0, 1).map(({ address }) => address)
  const provider = {
    async requestAccounts() {
      behavior.calls.push('connect')
      if (behavior.refuse) throw behavior.refuse
      return first()
    },
    async getAccounts() {
      await behavior.beforeSilentAnswer
      return first()
    },
    async signMessage(message: string, protocol: string) {
      behavior.calls.push(`signMessage ${message} ${protocol}`)
      return behavior.signMessage(first()[0] ?? '', protocol)
    },
    async signPsbt(psbt: string, options: { toSignInputs: { index: number }[] }) {
      behavior.calls.push('signPsbt')
      const indexes = options.toSignInputs.map(({ index }) => index)
      return toHex(behavior.signPsbt(Uint8Array.from(Buffer.from(psbt, 'hex')), indexes))
    },
    on(_: string, heard: (accounts: unknown) => void) {
      listener = heard
    },
    removeListener() {
      listener = undefined
    },
  }
  return {
    provider,
    change: () => listener?.(first()),
    register: (page: object) => void Object.assign(page, { unisat: provider }),
  }
}
