import { networkImageUrl, openModal } from '@latchkey/core/internal'
import { useLatchkey } from './app/context.ts'
import { useThemeRoot } from './app/useThemeRoot.ts'
import { useNetwork } from './hooks/useNetwork.ts'
import { useButtonT } from './locales/useButtonT.ts'
import styles from './PageButton.module.css'
import { Picture } from './parts/Picture.tsx'

/** Shows the selected network and opens the list of networks. */
export function NetworkButton() {
  const { app, loadModal } = useLatchkey()
  const t = useButtonT()
  const { ref, ...theme } = useThemeRoot()
  const { network, unsupportedChainId } = useNetwork()
  const name = unsupportedChainId ? t('button.networkUnsupported') : network.name
  return (
    <span {...theme} ref={ref} className={styles.root}>
      <button
        type="button"
        className={styles.button}
        data-look="quiet"
        data-unsupported={unsupportedChainId !== undefined || undefined}
        disabled={!app.config.modal.networkSwitch}
        aria-haspopup="dialog"
        aria-label={t('button.network').replace('{name}', () => name)}
        onPointerEnter={loadModal}
        onFocus={loadModal}
        onClick={() => openModal(app, { view: { name: 'Networks' } })}
      >
        <Picture
          src={unsupportedChainId ? undefined : networkImageUrl(app, network)}
          name={unsupportedChainId ? '!' : name}
          size={24}
          round
        />
        <span className={styles.name}>{name}</span>
      </button>
    </span>
  )
}
