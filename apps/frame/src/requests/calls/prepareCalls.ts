import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import type { FrameChain } from '../../chains.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { findBatchAllowance } from './batchAllowance.ts'
import { parseSendCalls } from './parseCalls.ts'

/**
 * wallet_sendCalls (EIP-5792). A smart account sends one user operation. A plain account sends
 * transactions one after another, unless the page requires an atomic batch: this turns the smart
 * account on with the user's approval.
 */
export async function prepareSendCalls(request: ApprovalRequest): Promise<PreparedApproval> {
  const { calls: access } = request
  const batch = parseSendCalls(request)
  const id = batch.id ?? createId()
  if (batch.id !== undefined && (await access.find(batch.id)))
    throw new LatchkeyError('BATCH_ID_TAKEN')
  const work = { access, batch, id, allowance: findBatchAllowance(request, batch) }
  const isSmart = (await access.readType()) === 'smartAccount'
  assertCapabilities(batch.requiredCapabilities, request.chain, isSmart)
  if (request.chain.smartAccounts === undefined || (!isSmart && !batch.isAtomic)) {
    if (batch.isAtomic) throw new LatchkeyError('ATOMICITY_UNSUPPORTED')
    return (await import('./prepareOneByOne.ts')).prepareOneByOne(request, work)
  }
  const { prepareOperation } = await import('./operation/prepareOperation.ts')
  return prepareOperation(request, {
    batch,
    batchId: id,
    allowance: work.allowance,
    isUpgrade: !isSmart,
    answer: async (hash) => {
      // Saved before it is sent, so that a reload in between loses nothing.
      await access.save(id, { chainId: request.chain.id, kind: 'operation', hash })
      return { id }
    },
  })
}

/**
 * Throws CAPABILITY_UNSUPPORTED if the page requires a capability that wallet_getCapabilities does
 * not list as supported.
 */
function assertCapabilities(
  required: readonly string[],
  chain: FrameChain,
  isSmart: boolean,
): void {
  const { smartAccounts: has } = chain
  const offered = [
    has && 'atomic',
    isSmart && has?.sponsor && 'sponsorship',
    has?.permissions && 'permissions',
    'assetDiscovery',
  ]
  const lacking = required.find((name) => !offered.includes(name))
  if (lacking === undefined) return
  throw new LatchkeyError('CAPABILITY_UNSUPPORTED', { data: { reason: lacking.slice(0, 60) } })
}

const createId = () => `0x${bytesToHex(crypto.getRandomValues(new Uint8Array(32)))}`
