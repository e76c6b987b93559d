import { Group, NavLink, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import { formatNumber } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';
import { type Branch, flatten, buildTree, nameOf } from './categories.ts';
import classes from './catalog.module.css';

type Choice = { chosen: string | undefined; onChoose(category: string | undefined): void };

function useTree(): { tree: Branch[] | undefined; locale: string } {
  const { store } = useStore();
  const { data } = useRead('listCategories', { params: { vendor_id: store.vendor_id } }, { staleTime: 60_000 });
  return { tree: data && buildTree(data.categories), locale: store.locale };
}

export function CategoryTree({ chosen, onChoose }: Choice) {
  const t = useMessages();
  const { tree, locale } = useTree();
  if (!tree) return <Skeleton height={300} />;
  if (tree.length === 0)
    return (
      <Text size="sm" c="dimmed" p="xs">
        {t('catalog.noCategories')}
      </Text>
    );
  return (
    <Stack gap={1}>
      <Leaf label={t('catalog.allProducts')} isChosen={chosen === undefined} onClick={() => onChoose(undefined)} />
      {tree.map((branch) => (
        <BranchLink key={branch.global_id} branch={branch} locale={locale} chosen={chosen} onChoose={onChoose} />
      ))}
    </Stack>
  );
}

function BranchLink({ branch, locale, chosen, onChoose }: Choice & { branch: Branch; locale: string }) {
  const label = nameOf(branch, locale);
  const choose = () => onChoose(branch.global_id);
  const isChosen = chosen === branch.global_id;
  if (branch.children.length === 0)
    return <Leaf label={label} size={branch.product_count} isChosen={isChosen} onClick={choose} />;
  const containsChosen = flatten(branch.children).some((category) => category.global_id === chosen);
  return (
    <Leaf
      label={label}
      size={branch.product_count}
      isChosen={isChosen}
      onClick={choose}
      isOpen={isChosen || containsChosen}
    >
      {branch.children.map((child) => (
        <BranchLink key={child.global_id} branch={child} locale={locale} chosen={chosen} onChoose={onChoose} />
      ))}
    </Leaf>
  );
}

type LeafProps = {
  label: string;
  size?: number;
  isChosen: boolean;
  isOpen?: boolean;
  onClick(): void;
  children?: React.ReactNode;
};

function Leaf({ label, size, isChosen, isOpen, onClick, children }: LeafProps) {
  return (
    <NavLink
      component="button"
      type="button"
      label={<Label text={label} size={size} />}
      active={isChosen}
      aria-current={isChosen ? 'true' : undefined}
      py={4}
      style={{ borderRadius: 6 }}
      childrenOffset={14}
      defaultOpened={isOpen ?? false}
      onClick={onClick}
    >
      {children}
    </NavLink>
  );
}

function Label({ text, size }: { text: string; size: number | undefined }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <span>{text}</span>
      {size !== undefined && (
        <Text size="xs" c="dimmed">
          {formatNumber(size)}
        </Text>
      )}
    </Group>
  );
}

/** The category filter for narrow screens. */
export function CategorySelect({ chosen, onChoose }: Choice) {
  const t = useMessages();
  const { tree = [], locale } = useTree();
  const data = flatten(tree).map((branch) => ({
    value: branch.global_id,
    label: `${'\u2003'.repeat(branch.depth)}${nameOf(branch, locale)}`,
  }));
  return (
    <Select
      className={classes['select']}
      aria-label={t('catalog.category')}
      placeholder={t('catalog.allCategories')}
      data={data}
      value={chosen ?? null}
      onChange={(value) => onChoose(value ?? undefined)}
      clearable
      searchable
      w={{ base: '100%', sm: 220 }}
    />
  );
}
