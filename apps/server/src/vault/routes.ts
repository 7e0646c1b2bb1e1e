import type { HttpBindings } from '@hono/node-server'
import * as wire from '@latchkey/wire'
import { Hono } from 'hono'
import { mountOpen, mountProven, mountSession } from '../auth/mount.ts'
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
  mountSession(app, vault, {
    route: wire.getWallet,
    work: ({ session, body }) =>
      readWallet(vault, {
        session,
        realm: body.realm,
        withGone: body.gone,
        withMoves: body.moves,
        withType: body.accountType,
      }),
  })
  mountSession(app, vault, {
    route: wire.prepareWallet,
    work: ({ session, body }) => prepareWallet(vault, { session, change: body }),
  })
  mountSession(app, vault, {
    route: wire.commitWallet,
    work: ({ session, body }) => commitWallet(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.setAccountType,
    work: ({ session, body }) => setAccountType(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.releaseShare,
    work: ({ session, body }) => releaseShare(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.moveWallet,
    work: ({ session, body }) => moveWallet(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.dropWallet,
    work: ({ session, body }) => dropWallet(vault, { session, walletId: body.walletId }),
  })
  mountSession(app, vault, {
    route: wire.deleteVault,
    work: ({ session }) => deleteVault(vault, session),
  })
  mountSession(app, vault, {
    route: wire.listAudit,
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
  mountSession(app, vault, {
    route: wire.recoveryShares,
    work: ({ session, body }) => releaseRecoveryShares(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.addFactor,
    work: ({ session, body }) => addFactor(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.removeFactor,
    work: ({ session, body }) => removeFactor(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.startOperatorRecovery,
    work: ({ session, body }) => startOperatorRecovery(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.releaseOperatorRecovery,
    work: ({ session, body }) => releaseOperatorRecovery(vault, { session, ...body }),
  })
  mountProven(app, vault, {
    route: wire.listOperatorRecoveries,
    work: ({ jkt }) => readOperatorRecoveries(vault, { jkt }),
  })
  mountProven(app, vault, {
    route: wire.cancelOperatorRecovery,
    work: ({ jkt, body }) => stopByDevice(vault, { jkt, ...body }),
  })
  mountOpen(app, vault, {
    route: wire.cancelOperatorRecoveryByLink,
    work: ({ body }) => stopByLink(vault, body.secret),
  })
}

function mountEnrollments(app: App, vault: Vault): void {
  mountSession(app, vault, {
    route: wire.askEnrollment,
    work: ({ session, body }) => enrollments.askEnrollment(vault, { session, body }),
  })
  mountSession(app, vault, {
    route: wire.listEnrollments,
    work: ({ session }) => enrollments.readEnrollments(vault, session),
  })
  mountSession(app, vault, {
    route: wire.meetEnrollment,
    work: ({ session, body }) => enrollments.meetEnrollment(vault, { session, body }),
  })
  mountSession(app, vault, {
    route: wire.revealEnrollment,
    work: ({ session, body }) => enrollments.revealEnrollment(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.answerEnrollment,
    work: ({ session, body }) => enrollments.answerEnrollment(vault, { session, body }),
  })
  mountSession(app, vault, {
    route: wire.pollEnrollment,
    work: ({ session, body }) => enrollments.readEnrollment(vault, { session, ...body }),
  })
}

function mountDevices(app: App, vault: Vault): void {
  mountSession(app, vault, {
    route: wire.listDevices,
    work: ({ session }) => readDevices(vault, session),
  })
  mountSession(app, vault, {
    route: wire.renameDevice,
    work: ({ session, body }) => renameDevice(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.signDevices,
    work: ({ session, body }) => signDevices(vault, { session, ...body }),
  })
  mountSession(app, vault, {
    route: wire.revokeDevice,
    work: ({ session, body }) => revokeDevice(vault, { session, ...body }),
  })
}
