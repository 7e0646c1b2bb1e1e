import type { HttpBindings } from '@hono/node-server'
import * as wire from '@latchkey/wire'
import { Hono } from 'hono'
import { addOpenRoute, addProvenRoute, addSessionRoute } from '../auth/mount.ts'
import { readAudit } from './audit.ts'
import { deleteVault } from './deleteVault.ts'
import { readDevices, renameDevice, revokeDevice } from './devices/devices.ts'
import * as enrollments from './devices/enrollments.ts'
import { signDevices } from './devices/signDevices.ts'
import { dropWallet } from './moves/dropWallet.ts'
import { moveWallet } from './moves/moveWallet.ts'
import { releaseOperatorRecovery, startOperatorRecovery } from './recovery/operatorRecovery.ts'
import { addFactor, removeFactor } from './recovery/recoveryFactors.ts'
import { readOperatorRecoveries, stopByDevice, stopByLink } from './recovery/stopRecovery.ts'
import type { Vault } from './vault.ts'
import { commitWallet } from './wallet/commitWallet.ts'
import { prepareWallet } from './wallet/prepareWallet.ts'
import { readWallet } from './wallet/readWallet.ts'
import { releaseRecoveryShares, releaseShare } from './wallet/releaseShare.ts'
import { setAccountType } from './wallet/setAccountType.ts'

type App = Hono<{ Bindings: Partial<HttpBindings> }>

/** The routes for wallets, shares, recovery, devices and deletion, under `/api`. */
export function vaultRoutes(vault: Vault): App {
  const app: App = new Hono()
  addSessionRoute(app, vault, {
    route: wire.getWalletRoute,
    work: ({ session, body }) =>
      readWallet(vault, {
        session,
        realm: body.realm,
        withGone: body.gone,
        withMoves: body.moves,
        withType: body.accountType,
      }),
  })
  addSessionRoute(app, vault, {
    route: wire.prepareWalletRoute,
    work: ({ session, body }) => prepareWallet(vault, { session, change: body }),
  })
  addSessionRoute(app, vault, {
    route: wire.commitWalletRoute,
    work: ({ session, body }) => commitWallet(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.setAccountTypeRoute,
    work: ({ session, body }) => setAccountType(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.releaseShareRoute,
    work: ({ session, body }) => releaseShare(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.moveWalletRoute,
    work: ({ session, body }) => moveWallet(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.dropWalletRoute,
    work: ({ session, body }) => dropWallet(vault, { session, walletId: body.walletId }),
  })
  addSessionRoute(app, vault, {
    route: wire.deleteVaultRoute,
    work: ({ session }) => deleteVault(vault, session),
  })
  addSessionRoute(app, vault, {
    route: wire.listAuditRoute,
    work: async ({ session, body }) => ({
      entries: await readAudit(vault, { subject: session.userId, before: body.before }),
    }),
  })
  mountRecovery(app, vault)
  mountEnrollments(app, vault)
  mountDevices(app, vault)
  return app
}

function mountRecovery(app: App, vault: Vault): void {
  addSessionRoute(app, vault, {
    route: wire.recoverySharesRoute,
    work: ({ session, body }) => releaseRecoveryShares(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.addFactorRoute,
    work: ({ session, body }) => addFactor(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.removeFactorRoute,
    work: ({ session, body }) => removeFactor(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.startOperatorRecoveryRoute,
    work: ({ session, body }) => startOperatorRecovery(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.releaseOperatorRecoveryRoute,
    work: ({ session, body }) => releaseOperatorRecovery(vault, { session, ...body }),
  })
  addProvenRoute(app, vault, {
    route: wire.listOperatorRecoveriesRoute,
    work: ({ jkt }) => readOperatorRecoveries(vault, { jkt }),
  })
  addProvenRoute(app, vault, {
    route: wire.cancelOperatorRecoveryRoute,
    work: ({ jkt, body }) => stopByDevice(vault, { jkt, ...body }),
  })
  addOpenRoute(app, vault, {
    route: wire.cancelOperatorRecoveryByLinkRoute,
    work: ({ body }) => stopByLink(vault, body.secret),
  })
}

function mountEnrollments(app: App, vault: Vault): void {
  addSessionRoute(app, vault, {
    route: wire.askEnrollmentRoute,
    work: ({ session, body }) => enrollments.askEnrollment(vault, { session, body }),
  })
  addSessionRoute(app, vault, {
    route: wire.listEnrollmentsRoute,
    work: ({ session }) => enrollments.readEnrollments(vault, session),
  })
  addSessionRoute(app, vault, {
    route: wire.meetEnrollmentRoute,
    work: ({ session, body }) => enrollments.meetEnrollment(vault, { session, body }),
  })
  addSessionRoute(app, vault, {
    route: wire.revealEnrollmentRoute,
    work: ({ session, body }) => enrollments.revealEnrollment(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.answerEnrollmentRoute,
    work: ({ session, body }) => enrollments.answerEnrollment(vault, { session, body }),
  })
  addSessionRoute(app, vault, {
    route: wire.pollEnrollmentRoute,
    work: ({ session, body }) => enrollments.readEnrollment(vault, { session, ...body }),
  })
}

function mountDevices(app: App, vault: Vault): void {
  addSessionRoute(app, vault, {
    route: wire.listDevicesRoute,
    work: ({ session }) => readDevices(vault, session),
  })
  addSessionRoute(app, vault, {
    route: wire.renameDeviceRoute,
    work: ({ session, body }) => renameDevice(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.signDevicesRoute,
    work: ({ session, body }) => signDevices(vault, { session, ...body }),
  })
  addSessionRoute(app, vault, {
    route: wire.revokeDeviceRoute,
    work: ({ session, body }) => revokeDevice(vault, { session, ...body }),
  })
}
