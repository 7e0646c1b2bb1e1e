import type { Delegation } from '../../../smartAccount.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import type { UnsignedOperation } from './buildOperation.ts'

/** What an account begins to delegate to with an operation, if it is new. */
export const getNewDelegation = ({ operation, authorize }: UnsignedOperation): NewDelegation =>
  authorize === undefined ? undefined : (operation.delegate ?? 'ours')

type NewDelegation = Exclude<Delegation, 'none'> | undefined

/**
 * The same request, whose calls are tried out with the code that the account gets with them. No
 * page has a say in that.
 */
export const withDelegation = (
  request: ApprovalRequest,
  newDelegation: NewDelegation | Promise<NewDelegation>,
): ApprovalRequest => ({
  ...request,
  fetchSimulation: async (given) => {
    const delegation = await newDelegation
    return request.fetchSimulation({ ...given, ...(delegation && { delegation }) })
  },
})
