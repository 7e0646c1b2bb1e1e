import { type FeeFields, isError } from '@latchkey/wire'
import { withLock } from '../../auth/deviceKey.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { toBig } from '../params.ts'
import type { AccessList, EvmCall } from './readCall.ts'

/**
 * A call to sign and send. `onSigned` runs before the transaction is sent; if it throws, nothing is
 * sent.
 */
type SendParameters = {
  readonly call: EvmCall
  readonly gas: bigint
  readonly fields: FeeFields
  readonly nonce?: bigint
  readonly onSigned?: (hash: string) => Promise<void>
}

/**
 * Signs a call with the given nonce or else the next nonce, and sends it. Once the call is signed,
 * it is sent even if the page is closed.
 */
export function sendTransaction(
  request: ApprovalRequest,
  { call, gas, fields, onSigned, ...given }: SendParameters,
): Promise<{ hash: string; nonce: bigint }> {
  const { read, chain, accounts, keys } = request
  const address = accounts.eip155
  // A batch may send at the same moment: two transactions must not get the same nonce.
  return withLock(`nonce ${chain.id} ${address}`, async () => {
    const nonce =
      given.nonce ?? toBig(await read(chain, 'eth_getTransactionCount', [address, 'pending']))
    const signed = await keys.do('signEvmTransaction', {
      transaction: {
        ...signedFees(fields, call.accessList),
        chainId: Number(chain.reference),
        nonce: String(nonce),
        gas: String(gas),
        ...(call.to && { to: call.to }),
        value: String(call.value),
        data: call.data,
      },
    })
    await onSigned?.(signed.hash)
    return { hash: await broadcast(request, signed), nonce }
  })
}

const maxTries = 3
const pauseMs = 2_000

/**
 * Sends the transaction and returns its hash. A lost response is not a failure: the same
 * transaction is sent again until a node has it, because users who see a failure would create a
 * second one. Throws the node's error if no node has it.
 */
async function broadcast(
  { read, chain }: ApprovalRequest,
  { raw, hash }: { raw: string; hash: string },
) {
  const isKnownToNode = async () =>
    (await read(chain, 'eth_getTransactionByHash', [hash]).catch(() => null)) !== null
  for (let tries = 1; ; tries++) {
    try {
      await read(chain, 'eth_sendRawTransaction', [raw])
      return hash
    } catch (error) {
      const isSaid = isError(error, 'RPC_FAILED')
      if (isSaid && /already (known|imported)|known transaction/i.test(error.message)) return hash
      if (await isKnownToNode()) return hash
      if (isSaid || tries === maxTries) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** The transaction's type and fees, in the form that the key worker signs. */
function signedFees(fields: FeeFields, asked: AccessList = []) {
  const accessList = asked.map(({ address, storageKeys }) => ({
    address,
    storageKeys: [...storageKeys],
  }))
  if ('gasPrice' in fields)
    return {
      gasPrice: String(fields.gasPrice),
      ...(accessList.length > 0 ? { type: 1 as const, accessList } : { type: 0 as const }),
    }
  return {
    type: 2 as const,
    maxFeePerGas: String(fields.maxFeePerGas),
    maxPriorityFeePerGas: String(fields.maxPriorityFeePerGas),
    accessList,
  }
}
