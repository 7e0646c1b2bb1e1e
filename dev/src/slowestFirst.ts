import { BaseSequencer, type TestSpecification } from 'vitest/node'

// In the order of their duration; files that compute alternate with files that wait.
const slow = [
  'apps/frame/src/wallet/restore.test.ts',
  'apps/frame/src/wallet/createWallet.test.ts',
  'apps/frame/test/approve.test.ts',
  'apps/server/src/auth/codes/codes.test.ts',
  'apps/server/src/activity/follow/killed.test.ts',
  'apps/server/src/db/nativePostgres.test.ts',
  'apps/server/src/activity/follow/followChain.test.ts',
  'apps/wallet/test/wallet.test.ts',
  'apps/frame/src/wallet/revokeWalletDevice.test.ts',
  'apps/frame/src/wallet/recovery/recoverWallet.test.ts',
  'apps/server/src/auth/session/session.test.ts',
  'dev/src/stack.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/cli.test.ts',
  'apps/frame/src/wallet/mailboxThief.test.ts',
  'apps/frame/src/wallet/interruption.test.ts',
  'apps/frame/src/wallet/corruption.test.ts',
  'apps/server/src/nfts/routes.test.ts',
  'apps/server/src/history/history.test.ts',
  'apps/wallet/test/walletConnect.test.ts',
  'apps/server/src/activity/follow/followHead.test.ts',
  'apps/server/src/db/awayDatabase.test.ts',
  'apps/server/src/activity/query/readPage.test.ts',
  'apps/server/src/relay/relayCluster.test.ts',
  'dev/src/chains/startChains.test.ts',
  'apps/frame/test/hostConnection.test.ts',
  'dev/src/chains/bitcoin/startBitcoin.test.ts',
  'apps/frame/test/changeEmail.test.ts',
  'apps/server/src/history/sources/openHistorySources.test.ts',
  'apps/server/src/http/limitAnswerMemory.test.ts',
  'apps/server/src/auth/login/startLogin.test.ts',
  'e2e/interop/session.test.ts',
  'apps/wallet/test/solana.test.ts',
  'apps/server/src/frame/createFrameServer.test.ts',
  'apps/server/src/activity/createActivity.test.ts',
  'apps/server/src/auth/email/changeEmail.test.ts',
  'packages/walletconnect/src/fuzz.test.ts',
  'apps/server/src/relay/mailbox/memoryUsage.test.ts',
  'e2e/interop/clock.test.ts',
  'apps/frame/test/lostPart.test.ts',
  'packages/core/src/namespaces/solana/actions.test.ts',
  'dev/src/chains/solana/startSolana.test.ts',
  'apps/server/src/balance/routes.test.ts',
  'dev/src/processes/orphans.test.ts',
  'dev/src/contracts/compile.test.ts',
  'e2e/interop/reconnect.test.ts',
  'apps/frame/src/wallet/enrollment/enrollment.test.ts',
  'apps/frame/src/wallet/crypto/deriveAccounts.test.ts',
  'apps/frame/src/wallet/worker/keyWorker.test.ts',
  'packages/core/src/directory/walletLinks.test.ts',
  'apps/frame/test/enrollment.test.ts',
  'apps/server/src/outbound/fetchOutside.test.ts',
  'apps/server/src/auth/email/mailAway.test.ts',
  'packages/core/src/connection/connectors/walletConnect/session/connectSession.test.ts',
]

const rank = ({ moduleId }: TestSpecification) => {
  const place = slow.findIndex((path) => moduleId.endsWith(path))
  return place < 0 ? slow.length : place
}

/**
 * Runs the test files of one project after those of another, because a worker serves a single project. Within a project they run in
 * Vitest's order, but the slowest first: a slow file that began last would run alone at the end.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort(
      (one, other) => other.project.name.localeCompare(one.project.name) || rank(one) - rank(other),
    )
  }
}
