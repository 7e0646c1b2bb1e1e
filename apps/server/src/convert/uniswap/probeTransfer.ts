import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import type { Hex } from '../../evm/hex.ts'
import type { ParsedReply } from '../../nodes/readReplies.ts'
import type { UpstreamCall } from '../../nodes/rpcRequest.ts'
import { probeAbi } from './abi.ts'

/** The deployed code of `dev/contracts/TransferProbe.sol`; a test compares the two. */
const transferProbe =
  '0x608060405234801561000f575f5ffd5b5060043610610034575f3560e01c8063dd8e5ec914610038578063ec8b283c14610064575b5f5ffd5b61004b6100463660046103be565b610079565b6040805192835260208301919091520160405180910390f35b6100776100723660046103be565b6102b7565b005b6040516370a0823160e01b81526001600160a01b0383811660048301525f9182918291908716906370a0823190602401602060405180830381865afa1580156100c4573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906100e891906103f7565b90506100f58686866102c7565b6040516370a0823160e01b81526001600160a01b0386811660048301528291908816906370a0823190602401602060405180830381865afa15801561013c573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061016091906103f7565b61016a919061040e565b6040516370a0823160e01b81523060048201529093506001600160a01b038716906370a0823190602401602060405180830381865afa1580156101af573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906101d391906103f7565b604051633b22ca0f60e21b81526001600160a01b038881166004830152306024830152604482018690529192509086169063ec8b283c906064015f604051808303815f87803b158015610224575f5ffd5b505af1158015610236573d5f5f3e3d5ffd5b50506040516370a0823160e01b81523060048201528392506001600160a01b03891691506370a0823190602401602060405180830381865afa15801561027e573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906102a291906103f7565b6102ac919061040e565b915050935093915050565b6102c28383836102c7565b505050565b6040516001600160a01b038381166024830152604482018390525f919085169060640160408051601f198184030181529181526020820180516001600160e01b031663a9059cbb60e01b1790525161031f9190610433565b5f604051808303815f865af19150503d805f8114610358576040519150601f19603f3d011682016040523d82523d5f602084013e61035d565b606091505b505090508061039d5760405162461bcd60e51b81526020600482015260086024820152673a3930b739b332b960c11b604482015260640160405180910390fd5b50505050565b80356001600160a01b03811681146103b9575f5ffd5b919050565b5f5f5f606084860312156103d0575f5ffd5b6103d9846103a3565b92506103e7602085016103a3565b9150604084013590509250925092565b5f60208284031215610407575f5ffd5b5051919050565b8181038181111561042d57634e487b7160e01b5f52601160045260245ffd5b92915050565b5f82518060208501845e5f92019182525091905056'

/** A trial transfer of `amount` of a token from a pool that holds it, and back. */
export type Probe = { readonly token: Hex; readonly holder: Hex; readonly amount: bigint }

/** An arbitrary address that tokens have no reason to treat specially. */
const recipient = '0x7a3d05c70581bd345fe117c06e45f9669205384f'

/**
 * A call that runs our probe in place of the pool's code. It changes nothing. A node that cannot
 * replace code for a call returns an error.
 */
export function toProbeCall({ token, holder, amount }: Probe): UpstreamCall {
  const data = encodeFunctionData({
    abi: probeAbi,
    functionName: 'probe',
    args: [token, recipient, amount],
  })
  const code = { code: transferProbe }
  const params = [{ to: holder, data }, 'latest', { [holder]: code, [recipient]: code }]
  return { method: 'eth_call', params: JSON.stringify(params) }
}

/**
 * The result of a trial transfer in both directions. `whole`: the whole amount arrived. `rounded`:
 * at most two of the smallest units are missing, which is common for tokens that count shares.
 * `changed`: another amount arrived. `unknown`: the transfer or the node failed.
 */
export type Arrival = 'whole' | 'rounded' | 'changed' | 'unknown'

/**
 * Units that a token may round off a transfer. In a smaller transfer than `leastRounded` they could
 * be a fee.
 */
const roundedUnits = 2n
const leastRounded = 1_000_000n

/** Reads the result of {@link toProbeCall}. */
export function parseProbe({ amount }: Probe, reply: ParsedReply | undefined): Arrival {
  const data = reply?.error === undefined ? reply?.result : undefined
  if (typeof data !== 'string') return 'unknown'
  try {
    const result = decodeFunctionResult({
      abi: probeAbi,
      functionName: 'probe',
      data: data as Hex,
    })
    const [received, returned] = result
    if (received === amount && returned === amount) return 'whole'
    const isRounded = isNear(amount, received) && isNear(received, returned)
    return isRounded && amount >= leastRounded ? 'rounded' : 'changed'
  } catch {
    return 'unknown'
  }
}

const isNear = (sent: bigint, arrived: bigint) =>
  sent - arrived <= roundedUnits && arrived - sent <= roundedUnits
