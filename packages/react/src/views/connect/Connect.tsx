import { type ConnectMethod, pushView } from '@latchkey/core/internal'
import { type ComponentType, Fragment, type ReactNode, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Row, RowIcon } from '../../parts/Row.tsx'
import { SkeletonButton, SkeletonField } from '../../parts/Skeleton.tsx'
import { canUsePasskeys } from '../login/canUsePasskeys.ts'
import styles from '../view.module.css'
import { Legal } from './Legal.tsx'
import { WalletList } from './WalletList.tsx'

/** The order of the connect methods. */
const defaultOrder: readonly ConnectMethod[] = ['email', 'social', 'wallet']

/** The ways to connect: by email, at providers and by wallets, as far as the app offers them. */
export function Connect() {
  const app = useApp()
  const t = useT()
  const { wallets, login, modal } = app.config
  const needsConsent =
    modal.legalCheckbox === true && (modal.termsUrl !== undefined || modal.privacyUrl !== undefined)
  const [agreed, setAgreed] = useState(false)
  const [showsWallets, setShowsWallets] = useState(login.showWallets && !wallets.collapsed)
  const hasLogin = useAppState((state) => state.connectors.some(({ traits }) => traits?.hasLogin))
  const canPasskeys = canUsePasskeys(app.config.frameUrl)
  const hasPasskeys = login.passkeyAccounts === true && canPasskeys
  // Passkeys stand below the email field, and in its place if a passkey alone makes a wallet.
  const hasEmail = hasLogin && (login.email || hasPasskeys)
  const hasSocials = hasLogin && login.socials?.length !== 0
  const locked = needsConsent && !agreed
  const offered = { email: hasEmail, social: hasSocials, wallet: wallets.enabled }
  const order = [...new Set(modal.connectOrder ?? defaultOrder)].filter((method) => offered[method])
  const isSocialFirst = order[0] === 'social'
  const separator = order.length < 2 ? undefined : isSocialFirst ? 'below' : 'above'
  const late = { disabled: locked, separator } as const
  const passkeySkeleton = canPasskeys && <SkeletonButton />
  const or = <p className={styles.or}>{t('connect.or')}</p>
  const parts: Record<ConnectMethod, ReactNode> = {
    email: (
      <Late load={loadEmailPart} {...late}>
        {login.email && <SkeletonField />}
        {hasPasskeys && passkeySkeleton}
        {passkeySkeleton}
      </Late>
    ),
    // It draws the separator itself, because only its code can tell whether there is anything to
    // separate.
    social: (
      <Late load={loadSocialPart} {...late}>
        {separator === 'above' && or}
        <SkeletonButton />
        {!hasEmail && passkeySkeleton}
        {separator === 'below' && or}
      </Late>
    ),
    wallet:
      showsWallets || !(hasLogin || wallets.collapsed) ? (
        <WalletList disabled={locked} />
      ) : (
        <Row
          start={<RowIcon name="wallet" />}
          label={t('connect.wallets')}
          end={<Icon name="forward" />}
          disabled={locked}
          onClick={() => setShowsWallets(true)}
        />
      ),
  }
  return (
    <div className={styles.column}>
      {needsConsent && <Legal agreed={agreed} onAgree={setAgreed} />}
      {order.map((method, index) => (
        <Fragment key={method}>
          {method !== 'social' && index > (isSocialFirst ? 1 : 0) && or}
          {parts[method]}
        </Fragment>
      ))}
      {!needsConsent && <Legal />}
      {wallets.enabled && wallets.guide && (
        <p className={styles.foot}>
          {t('connect.newHere')}{' '}
          <button
            type="button"
            className={styles.link}
            data-stays={hasEmail || undefined}
            disabled={hasEmail && locked}
            onClick={({ currentTarget }) => {
              if (hasEmail) focusEmail(currentTarget)
              else pushView(app, { name: 'GetAWallet' })
            }}
          >
            {t(hasEmail ? 'connect.startEmail' : 'action.getWallet')}
          </button>
        </p>
      )}
    </div>
  )
}

/** The field loads late, so no ref leads to it. */
const focusEmail = (link: Element) =>
  link.closest('p')?.parentElement?.querySelector<HTMLElement>('input[type="email"]')?.focus()

const loadEmailPart = () => import('../login/EmailForm.tsx').then((file) => file.EmailPart)
const loadSocialPart = () => import('../login/SocialButtons.tsx').then((file) => file.SocialPart)

type LoginPart = {
  disabled: boolean
  /** The side on which the logins at providers have a neighbor; undefined without a neighbor. */
  separator: 'above' | 'below' | undefined
}

/**
 * A part that only apps with a login need; until it is loaded, its children take its place, so that
 * nothing moves then.
 */
function Late({
  load,
  children,
  ...props
}: LoginPart & { load: () => Promise<ComponentType<LoginPart>>; children: ReactNode }) {
  const Part = useLazyImport(load, true).value
  return Part ? <Part {...props} /> : children
}
