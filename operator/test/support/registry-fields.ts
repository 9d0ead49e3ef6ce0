import { isDeepStrictEqual } from 'node:util';
import { clone, create } from '@bufbuild/protobuf';
import { AppSchema, FieldDifferenceSchema, OrganizationSelectionSchema, type App, type FieldDifference } from '@satellite/proto/registry/v1';

/** The entry as a registry stores it: defaults filled in, lists that have no order sorted. */
export function normalized(app: App): App {
  const stored = clone(AppSchema, app);
  const selection = stored.organizations ?? create(OrganizationSelectionSchema, { all: true });
  stored.status ||= 'active';
  stored.metadata ??= {};
  stored.organizations = create(OrganizationSelectionSchema, { all: selection.all, slugs: selection.all ? [] : [...new Set(selection.slugs)].sort() });
  stored.permissions.sort((a, b) => (a.code < b.code ? -1 : 1));
  stored.limitKeys.sort((a, b) => (a.key < b.key ? -1 : 1));
  return stored;
}

/** Fields in which two normalized entries differ. */
export function differencesBetween(before: App, after: App): FieldDifference[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return Object.keys(next)
    .filter((field) => !isDeepStrictEqual(old[field], next[field]))
    .map((field) => create(FieldDifferenceSchema, { field, before: JSON.stringify(old[field]), after: JSON.stringify(next[field]) }));
}

/** Proto has no absent strings: where a registry knows absence, empty means absent. */
function fieldsOf(app: App): Record<string, unknown> {
  const { slug, name, type, apiUrl, status, metadata, organizations } = app;
  return {
    slug, name, type, apiUrl, status, metadata,
    uiUrl: app.uiUrl || null,
    icon: app.icon || null,
    description: app.description || null,
    category: app.category || null,
    version: app.version || null,
    permissions: app.permissions.map(({ code, description }) => ({ code, description })),
    limitKeys: app.limitKeys.map(({ key, description }) => ({ key, description })),
    navigation: app.navigation.map(({ title, path, icon, permission }) => ({ title, path, ...(icon && { icon }), ...(permission && { permission }) })),
    organizations: { all: organizations?.all, slugs: organizations?.slugs },
  };
}
