import { type MoveFacts, moveMessage, type WalletMove } from '@latchkey/wire'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { keccak256, stringToBytes } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { deriveAccounts } from '../../src/wallet/crypto/deriveAccounts.ts'

/** Who has a copy of a wallet's phrase signs what they like with it. */
export async function readKey(words: string): Promise<PrivateKeyAccount> {
  const seed = Uint8Array.from(mnemonicToEntropy(words, wordlist))
  const { keys } = await deriveAccounts(seed)
  return privateKeyToAccount(`0x${Buffer.from(keys.eip155).toString('hex')}`)
}

type Keys = { readonly from: PrivateKeyAccount; readonly to: PrivateKeyAccount }

/** A move that both keys have signed. */
export async function signMove(facts: MoveFacts, keys: Keys): Promise<WalletMove> {
  const text = JSON.stringify(facts)
  const hash = keccak256(stringToBytes(moveMessage(text)))
  const [signature, toSignature] = await Promise.all([
    keys.from.sign({ hash }),
    keys.to.sign({ hash }),
  ])
  return { text, signature, toSignature }
}
