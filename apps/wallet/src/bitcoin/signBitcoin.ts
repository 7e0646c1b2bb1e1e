import { parseBitcoinAddress } from '@latchkey/wire/bitcoin'
import { OutScript, RawWitness, Script, Transaction } from '@scure/btc-signer'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { concatBytes, sha256x2, tagSchnorr } from '@scure/btc-signer/utils.js'
import { hexToBytes, toHex } from 'viem'
import { mnemonicToAccount, sign } from 'viem/accounts'
import { mnemonic } from '../requests/getSigner.ts'
import { bitcoinAccounts } from './accounts.ts'

type Purpose = 'payment' | 'ordinals'

/** The throw-away private key of an account's address. */
function getKey(index: number, purpose: Purpose): Uint8Array {
  // The library's type only allows Ethereum's paths.
  const path = `m/${purpose === 'payment' ? 84 : 86}'/1'/0'/0/${index}` as `m/44'/60'/${string}`
  const { privateKey } = mnemonicToAccount(mnemonic, { path }).getHdKey()
  if (!privateKey) throw new Error('The account has no key')
  return privateKey
}

/** Signs the requested inputs that the addresses of the account at `index` can sign. */
export function signInputs(
  transaction: Transaction,
  { index, inputs }: { index: number; inputs: readonly number[] },
): void {
  const account = bitcoinAccounts[index] ?? bitcoinAccounts[0]
  for (const at of inputs) {
    const { witnessUtxo, sighashType } = transaction.getInput(at)
    const isTaproot = witnessUtxo && OutScript.decode(witnessUtxo.script).type === 'tr'
    if (isTaproot)
      transaction.updateInput(at, { tapInternalKey: hexToBytes(`0x${account.ordinalsKey}`) })
    const key = getKey(index, isTaproot ? 'ordinals' : 'payment')
    transaction.signIdx(key, at, sighashType === undefined ? undefined : [sighashType])
  }
}

/**
 * Signs a message: a recoverable ECDSA signature (BIP-137) with the payment key, or BIP-322's
 * simple form with either.
 */
export async function signText(
  index: number,
  {
    message,
    purpose,
    protocol,
  }: { message: string; purpose: Purpose; protocol: 'ecdsa' | 'bip322' },
): Promise<Uint8Array> {
  const text = new TextEncoder().encode(message)
  return protocol === 'ecdsa' ? signEcdsa(index, text) : signWitness(index, { text, purpose })
}

async function signEcdsa(index: number, text: Uint8Array): Promise<Uint8Array> {
  const magic = new TextEncoder().encode('\x18Bitcoin Signed Message:\n')
  const { length } = text
  const size = length < 0xfd ? [length] : [0xfd, length & 255, length >> 8]
  const hash = sha256x2(concatBytes(magic, Uint8Array.from(size), text))
  const privateKey = toHex(getKey(index, 'payment'))
  const { r, s, yParity = 0 } = await sign({ hash: toHex(hash), privateKey })
  // 39: the key's address is P2WPKH.
  return concatBytes(Uint8Array.of(39 + yParity), hexToBytes(r), hexToBytes(s))
}

function signWitness(
  index: number,
  { text, purpose }: { text: Uint8Array; purpose: Purpose },
): Uint8Array {
  const { [purpose]: address } = bitcoinAccounts[index] ?? bitcoinAccounts[0]
  const { script = new Uint8Array() } = parseBitcoinAddress(address, 'regtest') ?? {}
  const transaction = buildMessageTransaction(script, text)
  signInputs(transaction, { index, inputs: [0] })
  transaction.finalizeIdx(0)
  return RawWitness.encode([...(transaction.getInput(0).finalScriptWitness ?? [])])
}

/**
 * BIP-322's virtual transaction: its only input spends another virtual transaction's output to the
 * script.
 */
function buildMessageTransaction(script: Uint8Array, text: Uint8Array): Transaction {
  const hash = tagSchnorr('BIP0322-signed-message', text)
  const paying = RawOldTx.encode({
    version: 0,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffff_ffff,
        finalScriptSig: Script.encode(['OP_0', hash]),
        sequence: 0,
      },
    ],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  })
  const spending = new Transaction({
    version: 0,
    allowUnknownVersion: true,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  })
  const txid = sha256x2(paying).reverse()
  spending.addInput({ txid, index: 0, sequence: 0, witnessUtxo: { script, amount: 0n } })
  spending.addOutput({ script: Script.encode(['RETURN']), amount: 0n })
  return spending
}
