import type { AccountDelegation } from '../../../smartAccount.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import type { UnsignedOperation } from './buildOperation.ts'

/** The delegation that an operation adds to the account; undefined if the operation adds none. */
export const getNewDelegation = ({ operation, authorize }: UnsignedOperation): NewDelegation =>
  authorize === undefined ? undefined : (operation.delegate ?? 'ours')

type NewDelegation = Exclude<AccountDelegation, 'none'> | undefined

/**
 * The same request, with its calls simulated on top of the account's new code. The page has no
 * influence on that code.
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
