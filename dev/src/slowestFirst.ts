import { BaseSequencer, type TestSpecification } from 'vitest/node'

// By what they took; those that mostly wait stand between those that compute.
const slow = [
  'apps/frame/src/wallet/createWallet.test.ts',
  'apps/frame/test/approve.test.ts',
  'apps/server/src/activity/follow/killed.test.ts',
  'apps/server/src/db/nativePostgres.test.ts',
  'apps/frame/src/wallet/corruption.test.ts',
  'apps/frame/src/wallet/interruption.test.ts',
  'apps/server/src/activity/follow/followChain.test.ts',
  'apps/wallet/test/wallet.test.ts',
  'apps/server/src/auth/codes/codes.test.ts',
  'apps/server/src/history/history.test.ts',
  'apps/wallet/test/walletConnect.test.ts',
  'dev/src/stack.test.ts',
  'apps/server/src/main.test.ts',
  'apps/frame/test/hostConnection.test.ts',
  'apps/server/src/db/awayDatabase.test.ts',
  'apps/frame/test/changeEmail.test.ts',
  'apps/server/src/relay/mailbox/memoryUsage.test.ts',
  'apps/frame/test/lostPart.test.ts',
  'apps/server/src/activity/createActivity.test.ts',
  'apps/server/src/auth/login/startLogin.test.ts',
  'apps/server/src/activity/follow/followHead.test.ts',
  'dev/src/chains/startChains.test.ts',
  'apps/server/src/cli.test.ts',
  'apps/frame/src/wallet/recovery/recoverWallet.test.ts',
  'apps/frame/src/wallet/revokeWalletDevice.test.ts',
  'apps/frame/src/wallet/mailboxThief.test.ts',
  'apps/frame/src/wallet/enrollment/enrollment.test.ts',
  'apps/frame/test/enrollment.test.ts',
  'apps/frame/src/wallet/operator.test.ts',
  'apps/server/src/auth/email/mailAway.test.ts',
  'dev/src/contracts/compile.test.ts',
  'apps/frame/src/wallet/worker/keyWorker.test.ts',
  'apps/server/src/auth/email/changeEmail.test.ts',
]

const rank = ({ moduleId }: TestSpecification) => {
  const place = slow.findIndex((path) => moduleId.endsWith(path))
  return place < 0 ? slow.length : place
}

/** Test files in Vitest's order, but the slowest first: one that began last would be waited for alone. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
