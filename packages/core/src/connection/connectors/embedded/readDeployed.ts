import { type ChainId, parseChainId } from '@latchkey/wire'
import type { EmbeddedParameters } from './parameters.ts'

/**
 * Asks the frame whether the smart account is deployed on the network, and passes on the response.
 * Does nothing for other accounts. Never throws: an unknown state stays unknown.
 */
export async function readDeployed(
  { frame, storage, smartAccount, noteDeployed }: EmbeddedParameters,
  chainId: ChainId,
): Promise<void> {
  if (parseChainId(chainId).namespace !== smartAccount()?.namespace) return
  const answer = await (await frame()).request('APP_INIT_SMART_ACCOUNT', {}).catch(() => undefined)
  // The frame's response is for its current network, which may be a different one by now.
  if (answer && storage.get('lastUsedChainId') === chainId) noteDeployed(chainId, answer.isDeployed)
}

/**
 * Reads it again after a response that can follow the account's first transaction: an approved
 * request, or a completed batch.
 */
export async function readDeployedAfter(
  parameters: EmbeddedParameters,
  { chainId, hasEnded }: { chainId: ChainId; hasEnded: boolean },
): Promise<void> {
  if (hasEnded && parameters.smartAccount()?.deployed?.[chainId] === false)
    await readDeployed(parameters, chainId)
}
