import {
  type FramePage,
  type FrameView,
  isError,
  providerNames,
  type SocialProvider,
} from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { account } from '../locales/account.en.ts'
import { codes } from '../locales/codes.en.ts'
import { fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { social } from '../locales/social.en.ts'
import type { PageEnd, PageProps } from '../screens/pageProps.ts'
import { confirmAtProvider } from './confirmAtProvider.ts'
import type { Paper } from './recovery/backUp.ts'
import type { StepUp } from './stepUp/confirmWithCode.ts'
import { announceWallet } from './walletNews.ts'
import { withStepUp } from './withStepUp.ts'

type SettingsPage = Exclude<FramePage, 'back-up'>

const titles: Record<SettingsPage, string> = {
  settings: account.settings.title,
  devices: account.devices.title,
  recovery: account.recovery.title,
  export: pages.export.title,
  'sign-ins': social.page.title,
  'smart-account': account.settings.smartAccount,
  'fresh-wallet': account.settings.replaceWallet,
}

const load = {
  settings: async () => (await import('../screens/SettingsScreen.tsx')).SettingsScreen,
  devices: async () => (await import('../screens/DevicesScreen.tsx')).DevicesScreen,
  recovery: async () => (await import('../screens/RecoveryScreen.tsx')).RecoveryScreen,
  'sign-ins': async () => (await import('../screens/SignInsScreen.tsx')).SignInsScreen,
  export: async () => (await import('../screens/ExportLinkScreen.tsx')).ExportLinkScreen,
  'smart-account': async () =>
    (await import('../screens/SmartAccountScreen.tsx')).SmartAccountScreen,
  'fresh-wallet': async () => (await import('../screens/MigrationScreen.tsx')).MigrationScreen,
} as const

/**
 * Shows a page, and the pages that it leads to, until the user closes them. Throws USER_REJECTED if
 * the user closes the question for a way of recovery without an answer.
 */
export async function openPage(
  context: FrameContext,
  { page, origin, signal }: { page: FramePage; origin: string; signal: AbortSignal },
): Promise<void> {
  const { session, keys, screenQueue, store, facts, read } = context
  const showPages = async (first: SettingsPage) => {
    let next: SettingsPage | undefined = first
    let problem: unknown
    while (next) {
      const here: SettingsPage = next
      const end: PageEnd = await screenQueue.show<PageProps, PageEnd>(
        {
          view: here satisfies FrameView,
          title: titles[here],
          load: load[here],
          props: {
            session,
            keys,
            store,
            read,
            facts,
            projectId: facts.projectId,
            origin,
            problem,
            socials: facts.socials,
          },
        },
        signal,
      )
      problem = undefined
      next = end && 'to' in end ? end.to : undefined
      if (!end || 'to' in end) continue
      try {
        const where = { origin, signal }
        const { code, run } =
          'link' in end
            ? linkAt(context, end.link, where)
            : 'add' in end
              ? passkeyAt(context, where)
              : 'kit' in end
                ? kitAt(context, end.kit, where)
                : 'choose' in end
                  ? pictureAt(context, signal)
                  : 'bring' in end
                    ? walletAt(context, end.bring, where)
                    : end
        await (code ? withStepUp(context, { ...code, origin, signal }, run) : run())
      } catch (error) {
        // The user already knows that it was closed.
        problem = isError(error, 'USER_REJECTED') ? undefined : error
      }
      next = (await session.read()) ? here : undefined
    }
  }
  // Closing a question does not answer it.
  if (page === 'back-up') return askForBackUp(context, { origin, signal })
  try {
    await screenQueue.during(() => showPages(page))
  } catch (error) {
    // A page ends when it is closed.
    if (!isError(error, 'USER_REJECTED')) throw error
  }
}

type PageRequest = { origin: string; signal: AbortSignal }
type PageWork = { code?: StepUp; run: () => Promise<void> }
type Step = PageWork & { code: StepUp }

/**
 * Asks for a way of recovery, if the wallet has no way yet. Only pages that the operator lists may
 * know that, and the others get no address before there is a way.
 */
async function askForBackUp(context: FrameContext, where: PageRequest): Promise<void> {
  if (!context.facts.recoveryLater?.includes(where.origin)) return
  const status = await context.keys.do('getStatus', {})
  if (status.status !== 'ready' || !status.lacksRecovery) return
  const { backUp } = await import('./recovery/backUp.ts')
  await backUp(context, { ...where, mayWait: true })
}

/** Adds a passkey, after a confirmation. */
const passkeyAt = (context: FrameContext, where: PageRequest): Step => ({
  code: { action: 'add passkey', about: { text: codes.stepUp.addPasskey } },
  run: async () => (await import('./addPasskey.ts')).addPasskey(context, where),
})

/**
 * Shows a kit, after a confirmation, and adds it. If it opens the wallet alone, it replaces the
 * other ways by a new key: what the operator stores no longer opens anything.
 */
const kitAt = (context: FrameContext, opens: 'too' | 'alone', where: PageRequest): PageWork => ({
  run: async () => {
    const { keys } = context
    const { title, newKit: note } = account.recovery
    const { addKit, newKey } = codes.stepUp
    const paper: Paper =
      opens === 'alone'
        ? {
            title,
            note,
            code: { action: 'new key', about: { text: newKey } },
            use: (kit) => keys.do('rotate', { factors: [kit] }),
          }
        : {
            title,
            code: { action: 'add kit', about: { text: addKit } },
            use: (kit) => keys.do('addFactor', { factor: kit }),
          }
    const { backUp } = await import('./recovery/backUp.ts')
    await backUp(context, { ...where, paper })
  },
})

/** Lets the user choose another picture; every screen after it shows it. */
const pictureAt = (context: FrameContext, signal: AbortSignal): PageWork => ({
  run: async () => (await import('./choosePicture.ts')).changePicture(context, signal),
})

/** Brings another wallet of the user into this browser, which then uses it. */
const walletAt = (context: FrameContext, realm: string, where: PageRequest): PageWork => ({
  run: async () => {
    const { restoreWallet } = await import('./recovery/restoreWallet.ts')
    await restoreWallet(context, { realm, ...where })
    announceWallet()
  },
})

/** Adds a sign-in at a provider, after a confirmation. */
function linkAt(context: FrameContext, provider: SocialProvider, where: PageRequest): Step {
  const text = fill(social.page.addText, { provider: providerNames[provider] })
  return {
    code: { action: `link ${provider}`, about: { text } },
    run: () =>
      confirmAtProvider(context, {
        providers: [provider],
        purpose: 'link',
        title: social.titleLink,
        text,
        ...where,
      }),
  }
}
