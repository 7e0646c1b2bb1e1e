import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import { getFeature, parseTexts, type StandardWallet } from '../../walletStandard/standardWallet.ts'
import { decodeBytes } from '../parsePsbt.ts'
import type { BrowserWallet, WalletAddress } from './browserWallet.ts'
import { findBitcoinStandardChain } from './chainNames.ts'

/** Adapts a wallet of the Wallet Standard to `BrowserWallet`, using its Bitcoin features. */
export function openStandardWallet(wallet: StandardWallet): BrowserWallet {
  const silent = getFeature(wallet, 'standard:connect', 'connect')
  const isAble = (name: string) => getFeature(wallet, `bitcoin:${name}`, name) !== undefined
  const call = async (feature: string, name: string, ...inputs: readonly unknown[]) => {
    const ask = getFeature(wallet, feature, name)
    if (!ask) throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: feature } })
    return ask(...inputs)
  }
  return {
    ...(silent && {
      authorized: async () => {
        const { accounts } = wallet
        return Array.isArray(accounts) && accounts.length > 0
          ? { accounts }
          : silent({ silent: true })
      },
    }),
    readAddresses: (answer) =>
      ((answer as { accounts: unknown[] }).accounts ?? []).map((source) => {
        const { address, publicKey, chains } = source as Record<string, unknown>
        const isBitcoin = parseTexts(chains).some((chain) => /^(bitcoin|bip122):/.test(chain))
        return {
          address: isBitcoin ? address : undefined,
          publicKey: ArrayBuffer.isView(publicKey)
            ? bytesToHex(Uint8Array.from(publicKey as Uint8Array))
            : undefined,
          source,
        }
      }),
    methods: [
      'getAccountAddresses',
      ...(isAble('signMessage') ? ['signMessage'] : []),
      ...(isAble('signTransaction') ? ['signPsbt'] : []),
    ],
    async signMessage({ account, message }) {
      const input = { account: account.source, message: new TextEncoder().encode(message) }
      const [output] = (await call('bitcoin:signMessage', 'signMessage', input)) as unknown[]
      return (output as { signature?: unknown }).signature
    },
    async signPsbt({ psbt, inputs, chainId }) {
      const [first] = inputs
      const { chains } = (first?.account.source ?? {}) as { chains?: unknown }
      const chain = findBitcoinStandardChain(parseTexts(chains), chainId)
      if (!chain) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      const input = { psbt: decodeBytes(psbt), chain, inputsToSign: groupInputs(inputs) }
      const [output] = (await call(
        'bitcoin:signTransaction',
        'signTransaction',
        input,
      )) as unknown[]
      return (output as { signedPsbt?: unknown }).signedPsbt
    },
    ...(getFeature(wallet, 'standard:disconnect', 'disconnect') && {
      disconnect: () => call('standard:disconnect', 'disconnect'),
    }),
    subscribe(listener) {
      const stop = (
        getFeature(wallet, 'standard:events', 'on') ?? getFeature(wallet, 'bitcoin:events', 'on')
      )?.('change', (change: unknown) => {
        if ((change as { accounts?: unknown } | null)?.accounts !== undefined) listener(change)
      })
      return () => {
        if (typeof stop === 'function') stop()
      }
    },
  }
}

/** Groups the inputs by account and sighash type, one entry for each pair. */
function groupInputs(
  inputs: readonly { account: WalletAddress; index: number; sighashTypes: readonly number[] }[],
) {
  const groups = new Map<string, { account: unknown; signingIndexes: number[]; sigHash?: number }>()
  for (const { account, index, sighashTypes } of inputs) {
    // Without a sighash type the wallet uses its default, which signs everything.
    const [sigHash] = sighashTypes.includes(1) ? [] : sighashTypes
    const key = `${account.address} ${sigHash}`
    const group = groups.get(key) ?? {
      account: account.source,
      signingIndexes: [],
      ...(sigHash !== undefined && { sigHash }),
    }
    group.signingIndexes.push(index)
    groups.set(key, group)
  }
  return [...groups.values()]
}
