import { BaseSequencer, type TestSpecification } from 'vitest/node'

// In the order of their duration.
const slow = [
  'apps/frame/test/approvals/seen.test.ts',
  'apps/frame/test/approvals/window.test.ts',
  'apps/frame/test/approvals/refused.test.ts',
  'apps/frame/test/approvals/sending.test.ts',
  'apps/frame/src/wallet/migration/migrationInterruption.test.ts',
  'apps/frame/test/windows/confirmWindow.test.ts',
  'apps/server/src/activity/follow/killed.test.ts',
  'apps/server/src/db/nativePostgres.test.ts',
  'apps/frame/test/picture.hostile.test.ts',
  'apps/server/src/activity/follow/followChain.test.ts',
  'apps/frame/test/changeEmail.test.ts',
  'apps/frame/test/enrollment.test.ts',
  'apps/frame/test/hostConnection.test.ts',
  'apps/server/src/db/awayDatabase.test.ts',
  'apps/wallet/test/wallet.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/relay/mailbox/memoryUsage.test.ts',
  'apps/frame/src/wallet/interruption.test.ts',
  'apps/server/src/auth/social/farcaster/farcaster.hostile.test.ts',
  'apps/wallet/test/walletConnect.test.ts',
  'apps/server/src/auth/login/startLogin.test.ts',
  'dev/src/stack.test.ts',
  'apps/frame/test/lostPart.test.ts',
  'e2e/interop/session.test.ts',
  'apps/frame/src/wallet/revokeWalletDevice.test.ts',
  'apps/frame/src/wallet/recovery/recoverWallet.test.ts',
  'apps/server/src/activity/follow/followHead.test.ts',
  'apps/server/src/history/history.test.ts',
  'apps/server/src/activity/createActivity.test.ts',
  'dev/src/checkout/checkout.test.ts',
  'dev/src/contracts/compile.test.ts',
  'e2e/interop/reconnect.test.ts',
  'apps/frame/src/wallet/operator.test.ts',
  'apps/server/src/auth/email/mailAway.test.ts',
  'e2e/interop/clock.test.ts',
  'apps/frame/src/wallet/enrollment/enrollment.test.ts',
  'apps/server/src/auth/session/session.test.ts',
  'apps/frame/src/wallet/mailboxThief.test.ts',
  'packages/walletconnect/src/fuzz.test.ts',
  'apps/server/src/history/sources/openHistorySources.test.ts',
  'packages/core/src/connection/namespaces.test.ts',
  'apps/server/src/auth/social/social.test.ts',
  'apps/wallet/test/solana.test.ts',
  'apps/frame/src/social/providerPopup.hostile.test.ts',
  'apps/server/src/auth/social/visit.hostile.test.ts',
  'apps/frame/src/rendezvous/sealedRendezvous.test.ts',
  'dev/src/chains/startChains.test.ts',
  'e2e/interop/relayClient.test.ts',
  'apps/server/src/nfts/routes.test.ts',
  'apps/server/src/bundler/bundler.test.ts',
  'apps/server/src/auth/passkeys/passkeys.hostile.test.ts',
  'apps/server/src/auth/email/changeEmail.test.ts',
  'apps/frame/src/wallet/worker/keyWorker.test.ts',
  'apps/server/src/identity/hostile.test.ts',
  'apps/server/src/auth/social/social.hostile.test.ts',
  'apps/server/src/rpc/routes.test.ts',
  'apps/server/src/mail/mailer.test.ts',
  'e2e/interop/namespaces.test.ts',
  'apps/server/src/allowances/routes.test.ts',
  'apps/server/src/relay/relayCluster.test.ts',
  'apps/server/src/cli.test.ts',
  'dev/src/chains/solana/startSolana.test.ts',
  'e2e/interop/outsider.test.ts',
  'apps/server/src/prices/routes.test.ts',
  'apps/server/src/activity/follow/lease.test.ts',
  'packages/core/src/namespaces/badInput.hostile.test.ts',
  'apps/server/src/activity/notices.test.ts',
  'apps/server/src/http/limitResponseMemory.test.ts',
  'dev/src/processes/orphans.test.ts',
  'e2e/interop/authenticate.test.ts',
  'packages/core/src/connection/connectors/walletConnect/session/connectSession.test.ts',
  'apps/server/src/frame/createFrameServer.test.ts',
  'packages/walletconnect/src/relay/createRelayClient.test.ts',
  'packages/wire/src/channel/channel.fuzz.test.ts',
  'packages/core/src/activity/watchActivity.test.ts',
  'apps/server/src/outbound/fetchOutside.test.ts',
  'dev/src/packages/groupModules.test.ts',
  'apps/server/src/process/catchUncaught.test.ts',
  'apps/server/src/relay/relaySocket.test.ts',
  'apps/server/src/kv/kv.test.ts',
  'apps/server/src/auth/rendezvous/rendezvous.hostile.test.ts',
  'packages/core/src/namespaces/solana/actions.test.ts',
]

const rank = ({ moduleId }: TestSpecification) => {
  const place = slow.findIndex((path) => moduleId.endsWith(path))
  return place < 0 ? slow.length : place
}

/**
 * Files of `interop` mostly wait, so they come first, while the browser of the components computes.
 */
const projects = [
  'react (chromium)',
  'react (first loads)',
  'react (first visit)',
  'interop',
  'node',
]
const turn = ({ project }: TestSpecification) => projects.indexOf(project.name)

/**
 * Runs the test files project by project, because a worker serves a single project. Within a
 * project they run in Vitest's order, but the slowest first: a slow file that started last would
 * run alone at the end.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort(
      (one, other) => turn(one) - turn(other) || rank(one) - rank(other),
    )
  }
}
