import { addGasMargin } from '@latchkey/wire'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { toBig } from '../params.ts'
import { sanitizeName } from '../sanitizeName.ts'
import type { EvmCall } from './readCall.ts'

/** The gas limit of a call whose gas is unknown. */
export const unknownGas = 1_000_000n

/**
 * Estimates the gas limit of a call on top of the latest block. `fails`: why the call would fail,
 * if it would.
 */
export async function estimateCallGas(
  { read, chain, signal, accounts }: ApprovalRequest,
  { to, value, data, accessList }: EvmCall,
): Promise<{ gas: bigint; fails?: string }> {
  const draft = {
    from: accounts.eip155,
    ...(to && { to }),
    value: `0x${value.toString(16)}`,
    data,
    ...(accessList && { accessList }),
  }
  try {
    const gas = toBig(await read(chain, 'eth_estimateGas', [draft], signal))
    return { gas: addGasMargin(gas) }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'RPC_FAILED') throw error
    return { gas: unknownGas, fails: sanitizeName(error.message, 120) }
  }
}

/** Whether a contract exists to receive the data of a call; true if the call has no data. */
export async function hasCode(
  { read, chain, signal }: ApprovalRequest,
  { to, data }: EvmCall,
): Promise<boolean> {
  if (!to || data === '0x') return true
  const code = await read(chain, 'eth_getCode', [to, 'latest'], signal)
  return typeof code === 'string' && code !== '0x'
}
