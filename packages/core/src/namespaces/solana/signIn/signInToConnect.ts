import { type ChainId, decodeBase58, isError, LatchkeyError, parseChainId } from '@latchkey/wire'
import type { SiwxMessage } from '@latchkey/wire/siwx'
import { abortable } from '../../../abortable.ts'
import { toWalletError } from '../../../connection/connectors/walletError.ts'
import type { OneClick } from '../../../siwx/siwx.ts'
import { getFeature, type StandardWallet } from '../../walletStandard/standardWallet.ts'
import { toSignedIn } from '../connector/requestFromFeatures.ts'
import { getChainName } from '../connector/standardChains.ts'
import { checkSignedIn } from './signIn.ts'

/**
 * Connects by the wallet's own sign-in, with one approval for both; resolves to the same result as
 * its `connect`. Undefined if the wallet needs a separate request to connect. Throws USER_REJECTED,
 * REQUEST_PENDING, WALLET_ANSWER_INVALID, WALLET_SIGNED_OTHER and ABORTED.
 */
export async function signInToConnect(
  { wallet, oneClick }: { wallet: StandardWallet; oneClick: OneClick },
  { chainId, signal }: { chainId: ChainId; signal: AbortSignal },
): Promise<{ accounts: readonly unknown[] } | undefined> {
  const prepared = await abortable(oneClick.prepareMessage(chainId), signal)
  if (!prepared) return undefined
  const input = toInput(prepared, chainId)
  const outputs = await abortable(ask(wallet, input), signal)
  if (outputs === undefined) return undefined
  const { signedMessage, signature } = await checkSignedIn(input, toSignedIn(outputs))
  const message = new TextDecoder().decode(decodeBase58(signedMessage))
  if (!(await oneClick.verify({ message, signature })))
    throw new LatchkeyError('WALLET_SIGNED_OTHER')
  return {
    accounts: (outputs as readonly { account: unknown }[])
      .slice(0, 1)
      .map(({ account }) => account),
  }
}

/** Undefined if the wallet could not do it, although it lists the feature. */
async function ask(wallet: StandardWallet, input: object): Promise<unknown> {
  try {
    return await getFeature(wallet, 'solana:signIn', 'signIn')?.(input)
  } catch (cause) {
    const error = toWalletError(cause, 'solana:signIn')
    if (isError(error, 'USER_REJECTED') || isError(error, 'REQUEST_PENDING')) throw error
    return undefined
  }
}

/**
 * Converts the message to the standard's input, because wallets use the standard's names of
 * networks.
 */
const toInput = ({ accountAddress: _, chainId: __, ...fields }: SiwxMessage, chainId: ChainId) => ({
  ...fields,
  chainId: getChainName(chainId) ?? parseChainId(chainId).reference,
})
