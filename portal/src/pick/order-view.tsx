import { IconArrowLeft, IconDots, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { mayCall } from '../api/call.ts';
import { Camera } from './camera.tsx';
import { ClaimGate } from './claim-gate.tsx';
import { Conflict } from './conflict.tsx';
import { type Draft, isOpen, isTaken, type Line, linesOf, withTypedWeight } from './draft.ts';
import { findDraft, updateDraft, useDraft } from './drafts.ts';
import { useFinish } from './finish.ts';
import { useWording } from './language.ts';
import { AddedLine, LineView, ReadOnlyLine } from './line-view.tsx';
import { IncreaseQuestion, OrderBar } from './order-bar.tsx';
import { OrderMenu } from './order-menu.tsx';
import { ProductSheet } from './product-sheet.tsx';
import { useProducts } from './products.ts';
import { isTemporary, pause } from './request.ts';
import { navigate } from './route.ts';
import { loadEmbeddedRules } from './scan-rules.ts';
import type { Session } from './session.ts';
import { StrangerSheet } from './stranger-sheet.tsx';
import { changeLine, followOrder, loadDraft } from './sync.ts';
import { clearToast, ToastArea } from './toast.tsx';
import { useChoosing } from './use-choosing.ts';
import { useScan } from './use-scan.ts';
import { useWakeLock } from './wake-lock.ts';

/** One order. It is shown from the device at once, and kept up to date from the server. */
export function OrderView({ orderId, session }: { orderId: string; session: Session }) {
  const { text } = useWording();
  const draft = useDraft(orderId);
  const { isFresh, failure } = useLoading(orderId);
  if (!draft) {
    return (
      <>
        <Top title={text('app.name')} />
        <main className="empty">
          <p role="status">
            {failure === undefined && text('app.loading')}
            {failure === 'offline' && text('order.notAvailable')}
            {failure === 'missing' && text('app.notFound')}
          </p>
        </main>
      </>
    );
  }
  const before = draft.seenBefore ?? (isOpen(draft) ? undefined : draft.order);
  if (before) return <Conflict draft={draft} before={before} />;
  if (!mayCall(session.user.role, 'markItems')) return <ReadOnly draft={draft} />;
  return <PickingView draft={draft} isFresh={isFresh} hasPortal={session.user.role !== 'PICKER'} />;
}

type Failure = 'offline' | 'missing';

/** Loads the order until it is on the device, then follows its changes. */
function useLoading(orderId: string): { isFresh: boolean; failure: Failure | undefined } {
  const [failure, setFailure] = useState<Failure>();
  const [isFresh, setFresh] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      void loadEmbeddedRules().catch(() => undefined);
      for (let isLoaded = false; !isLoaded && !stop.signal.aborted; ) {
        try {
          await loadDraft(orderId);
          isLoaded = true;
          setFresh(true);
        } catch (error) {
          if (!isTemporary(error)) return setFailure(error instanceof ApiError ? 'missing' : undefined);
          setFailure('offline');
          await pause(3000, stop.signal);
        }
      }
      await followOrder(orderId, stop.signal);
    };
    void load();
    return () => stop.abort();
  }, [orderId]);
  return { isFresh, failure };
}

type PickingProps = {
  draft: Draft;
  /** Whether the draft has been compared with the server since the order was opened. */
  isFresh: boolean;
  hasPortal: boolean;
};

function PickingView({ draft, isFresh, hasPortal }: PickingProps) {
  const { text } = useWording();
  useWakeLock();
  const finish = useFinish(draft);
  const [activeId, setActiveId] = useState<string>();
  const [overlay, setOverlay] = useState<'menu' | 'cancel' | 'camera'>();
  const lines = linesOf(draft);
  const { order } = draft;
  useProducts(draft);
  const choosing = useChoosing(order.order_id);
  const { state, show, close } = choosing;
  const scan = useScan({
    orderId: order.order_id,
    replacing: state?.kind === 'replace' ? state.line : undefined,
    isAdding: state?.kind === 'add',
    isTaken: isFresh && isTaken(draft),
    onChoose: choosing.choose,
    onStranger: (stranger) => show({ kind: 'stranger', stranger }),
    onLine: ({ id }) => {
      setActiveId(id);
      // The picker has put the wrong item back and scanned the right one.
      if (state?.kind === 'stranger') close();
    },
  });
  const shared = (line: Line) => ({
    line,
    products: draft.products,
    isActive: line.id === activeId,
    typed: draft.typedWeights?.[line.id],
    onType: (typed: string) => updateDraft(order.order_id, (current) => withTypedWeight(current, line.id, typed)),
    onChange: (change: Parameters<typeof changeLine>[2]) => {
      setActiveId(line.id);
      // A weight is also marked when its field is left. The button that is being tapped must not move then.
      if (change.state !== undefined) clearToast();
      changeLine(order.order_id, currentLine(order.order_id, line), change);
    },
  });
  return (
    <>
      <Top title={order.order_code} onMenu={() => setOverlay('menu')} />
      <main className="order">
        <Notes draft={draft} />
        <ul className="lines">
          {lines.map((line) =>
            line.item ? (
              <LineView
                key={line.id}
                {...shared(line)}
                onReplace={() => show({ kind: 'replace', line, chosen: undefined })}
              />
            ) : (
              <AddedLine key={line.id} {...shared(line)} />
            ),
          )}
        </ul>
        <button type="button" className="add" onClick={() => show({ kind: 'add', chosen: undefined })}>
          <IconPlus aria-hidden /> {text('order.add')}
        </button>
      </main>
      <OrderBar
        draft={draft}
        lines={lines}
        finish={finish}
        onCamera={() => setOverlay('camera')}
        onCancel={() => setOverlay('cancel')}
      />
      {isFresh && <ClaimGate draft={draft} />}
      <IncreaseQuestion draft={draft} finish={finish} />
      {(overlay === 'menu' || overlay === 'cancel') && (
        <OrderMenu
          draft={draft}
          finish={finish}
          hasPortal={hasPortal}
          startsWithCancel={overlay === 'cancel'}
          onClose={() => setOverlay(undefined)}
        />
      )}
      {overlay === 'camera' && (
        <Camera
          onClose={() => setOverlay(undefined)}
          onScan={(code) => {
            setOverlay(undefined);
            scan(code);
          }}
        />
      )}
      {(state?.kind === 'replace' || state?.kind === 'add') && (
        <ProductSheet
          draft={draft}
          line={state.kind === 'replace' ? state.line : undefined}
          chosen={state.chosen}
          onChoose={choosing.choose}
          onConfirm={choosing.confirm}
          onClose={close}
        />
      )}
      {state?.kind === 'stranger' && (
        <StrangerSheet
          draft={draft}
          lines={lines}
          stranger={state.stranger}
          onReplace={(line, chosen) => show({ kind: 'replace', line, chosen })}
          onAdd={(chosen) => show({ kind: 'add', chosen })}
          onClose={close}
        />
      )}
    </>
  );
}

/** The line as it is now: a tap can follow another one before the page has been drawn again. */
function currentLine(orderId: string, line: Line): Line {
  const draft = findDraft(orderId);
  return (draft && linesOf(draft).find(({ id }) => id === line.id)) ?? line;
}

function Top({ title, onMenu }: { title: string; onMenu?: () => void }) {
  const { text } = useWording();
  return (
    <header className="top">
      <button
        type="button"
        className="icon-button"
        aria-label={text('app.back')}
        onClick={() => navigate({ name: 'queue' })}
      >
        <IconArrowLeft className="mirrored" aria-hidden />
      </button>
      <h1 className="code">
        <bdi>{title}</bdi>
      </h1>
      {onMenu && (
        <button type="button" className="icon-button" aria-label={text('order.menu')} onClick={onMenu}>
          <IconDots aria-hidden />
        </button>
      )}
    </header>
  );
}

function Notes({ draft: { order, picking, rejected } }: { draft: Draft }) {
  const { text, list } = useWording();
  const isMine = picking?.pickers.some(({ is_me }) => is_me) ?? false;
  const others = picking?.pickers.filter(({ is_me }) => isMine && !is_me).map(({ name }) => name) ?? [];
  return (
    <>
      {order.comment && (
        <p className="notice" data-tone="note">
          <b>{text('order.note')}</b> <bdi>{order.comment}</bdi>
        </p>
      )}
      {others.length > 0 && <p className="notice">{text('order.sharedWith', { names: list(others) })}</p>}
      {rejected && (
        <p className="notice" data-tone="bad" role="alert">
          {text('conflict.rejected', { detail: rejected })}
        </p>
      )}
    </>
  );
}

function ReadOnly({ draft }: { draft: Draft }) {
  const { text } = useWording();
  useProducts(draft);
  return (
    <>
      <Top title={draft.order.order_code} />
      <main className="order">
        <p className="notice">{text('order.readOnly')}</p>
        <Notes draft={draft} />
        <ul className="lines">
          {linesOf(draft).map((line) => (
            <ReadOnlyLine key={line.id} line={line} products={draft.products} />
          ))}
        </ul>
      </main>
      <ToastArea />
    </>
  );
}
