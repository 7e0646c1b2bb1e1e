import { useT } from '../../locales/useT.ts'
import { Slides } from './Slides.tsx'

/** A short explanation of wallets. */
export function WalletFacts() {
  const t = useT()
  return (
    <Slides
      slides={[
        { icon: 'wallet', title: t('whatWallet.homeTitle'), text: t('whatWallet.home') },
        { icon: 'key', title: t('whatWallet.loginTitle'), text: t('whatWallet.login') },
        { icon: 'shield', title: t('whatWallet.yoursTitle'), text: t('whatWallet.yours') },
      ]}
    />
  )
}
