import { bytesToHex, createPublicClient, type Hex, hexToBytes, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

// The page in the window of Coinbase's SDK, as far as its messages go: ECDH with P-256, then
// AES-GCM. Closing it is up to the test.
const account = privateKeyToAccount(
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
)
const curve = { name: 'ECDH', namedCurve: 'P-256' }
type Encrypted = { iv: Uint8Array<ArrayBuffer>; cipherText: ArrayBuffer }
type Action = { method: string; params: unknown[] }
type Message = {
  id: string
  event?: string
  sender?: string
  content?: { handshake?: Action; encrypted?: Encrypted }
}

const place = 'keysOfCoinbase'
/** The node for its transactions, if the test sets it; otherwise it refuses them. */
const node = localStorage.getItem(`${place}.node`)
const bytes = (hex: string) => Uint8Array.from(hexToBytes(`0x${hex}`))
const importPublic = (hex: string) => crypto.subtle.importKey('spki', bytes(hex), curve, true, [])

/** Kept between the windows of one wallet. */
async function openKeys() {
  const saved = JSON.parse(localStorage.getItem(place) ?? 'null')
  if (saved)
    return {
      secret: await crypto.subtle.importKey('pkcs8', bytes(saved.secret), curve, true, [
        'deriveKey',
      ]),
      sender: saved.sender as string,
    }
  const pair = await crypto.subtle.generateKey(curve, true, ['deriveKey'])
  const write = async (format: 'spki' | 'pkcs8', key: CryptoKey) =>
    bytesToHex(new Uint8Array(await crypto.subtle.exportKey(format, key))).slice(2)
  const sender = await write('spki', pair.publicKey)
  const secret = await write('pkcs8', pair.privateKey)
  localStorage.setItem(place, JSON.stringify({ sender, secret }))
  return { secret: pair.privateKey, sender }
}

async function answer({ method, params }: Action): Promise<object> {
  switch (method) {
    case 'eth_requestAccounts':
      return { value: [account.address] }
    case 'personal_sign':
      return { value: await account.signMessage({ message: { raw: params[0] as Hex } }) }
    case 'eth_signTypedData_v4':
      return { value: await account.signTypedData(JSON.parse(String(params[1]))) }
    case 'eth_sendTransaction':
      return node === null ? refusal : { value: await send(params[0] as TransactionRequest) }
    case 'wallet_switchEthereumChain':
      return { value: null }
    default:
      return refusal
  }
}

const refusal = { error: { code: 4001, message: 'User rejected the request' } }

type TransactionRequest = Record<
  'to' | 'data' | 'value' | 'gas' | 'maxFeePerGas' | 'maxPriorityFeePerGas',
  Hex
>

/** Signs the transaction that the page requested, and sends it to the test's node. */
async function send({ to, data, ...amounts }: TransactionRequest): Promise<Hex> {
  const client = createPublicClient({ transport: http(node ?? '') })
  const { value, gas, maxFeePerGas, maxPriorityFeePerGas } = amounts
  const serializedTransaction = await account.signTransaction({
    ...{ type: 'eip1559', chainId: 31_337, to, data, value: BigInt(value), gas: BigInt(gas) },
    ...{ maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) },
    nonce: await client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  })
  return client.sendRawTransaction({ serializedTransaction })
}

const say = (message: object) => opener.postMessage(message, location.origin)

async function reply({ id, sender, content }: Message) {
  const keys = await openKeys()
  const theirs = await importPublic(sender ?? '')
  const key = await crypto.subtle.deriveKey(
    { name: 'ECDH', public: theirs },
    keys.secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
  const { handshake, encrypted } = content ?? {}
  const read = async ({ iv, cipherText }: Encrypted) =>
    JSON.parse(
      new TextDecoder().decode(
        await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, cipherText),
      ),
    ).action as Action
  const action = handshake ?? (encrypted && (await read(encrypted)))
  if (!action) return
  // The user reads and does not decide.
  if (localStorage.getItem(`${place}.waits`) !== null)
    return localStorage.setItem(`${place}.waits`, 'asked')
  const chains = { 31337: 'https://node.coinbase.example', 31338: 'https://node.coinbase.example' }
  const plain = JSON.stringify({ result: await answer(action), data: { chains } })
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const cipherText = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    key,
    new TextEncoder().encode(plain),
  )
  say({
    ...{ requestId: id, id: crypto.randomUUID(), sender: keys.sender, timestamp: new Date() },
    content: { encrypted: { iv, cipherText } },
  })
  window.close()
}

window.addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
  if (source !== opener) return
  if (data.event === 'selectSignerType') say({ requestId: data.id, data: 'scw' })
  else if (data.content) void reply(data)
})
window.addEventListener('pagehide', () => {
  if (localStorage.getItem(`${place}.silent`) === null) say({ event: 'PopupUnload' })
})
if (localStorage.getItem(`${place}.silent`) === null)
  say({ id: crypto.randomUUID(), event: 'PopupLoaded' })
