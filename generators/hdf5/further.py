"""What the File Format Specification finds in fixtures beside the clause of their recipes: {path: {set: clauses}}.
Most of them were made for clauses of SWMR."""

FURTHER = {
    "invalid/3/swmr-superblock-status-closed--flags-1.h5": {
        "informs": ["h5-risk-open-for-writing"],
    },
    "invalid/3/swmr-superblock-status-closed--flags-5.h5": {
        "informs": ["h5-risk-open-for-writing"],
    },
    "invalid/3/swmr-superblock-status-closed--in-the-midst-of-an-append.h5": {
        "informs": ["h5-risk-open-for-writing"],
    },
    "invalid/7/swmr-chunk-no-overlap--into-the-next.h5": {
        "informs": ["h5-risk-filter-plugin"],
    },
    "invalid/8.2/swmr-btree1-entries-used--33-and-no-k.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/8.2/swmr-btree1-key-order--names.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/8.2/swmr-btree1-key-range--names-above.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/9.2/swmr-btree2-percentages--split-0.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "invalid/FF-II.A/swmr-block-inside-eof--behind-the-end.h5": {
        "informs": ["h5-risk-trailing-bytes"],
    },
    "invalid/FF-II.A/swmr-block-inside-eof--heap-in-the-last-bytes.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-II.A/swmr-metadata-no-overlap--continuation-inside-its-header.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-II.A/swmr-metadata-no-overlap--k-of-symbol-nodes-raised.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-node-count--5.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-node-count--65535.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-node-count--9-and-no-k.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-node-signature--changed.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-node-signature--tree-node.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-node-version--version-0.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-node-version--version-2.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-order--equal.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.B/swmr-symbol-order--exchanged.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-cache-type--3.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-cache-type--all-bits.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-header-address--undefined-with-type-0.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-header-address--undefined-with-type-1.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-name-in-heap--behind.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-name-in-heap--key.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-name-in-heap--soft-link.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-name-in-heap--without-nul.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-scratch-pad--superblock.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.C/swmr-symbol-scratch-pad--tree.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.D/swmr-local-heap-segment--address.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.D/swmr-local-heap-segment--size.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.D/swmr-local-heap-signature--changed.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.D/swmr-local-heap-signature--superblock.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.D/swmr-local-heap-version--version-1.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-III.D/swmr-local-heap-version--version-255.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-message-alignment--1.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-message-alignment--12.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-message-alignment--7.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-message-count--0.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-message-count--one-too-large.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-message-count--one-too-small.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-reference-count--linked-from-inside.h5": {
        "informs": ["h5-risk-group-cycle"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-reference-count--version-1-count-0.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1.a/swmr-ohdr-reference-count-excess--version-1-count-3.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.1/swmr-ohdr-message-fits--four-bytes-left.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.2.d/swmr-datatype-array-version--version-1.h5": {
        "warns": ["h5-datatype-array-reserved"],
    },
    "invalid/FF-IV.A.2.g/swmr-link-name-not-empty--in-a-symbol-table.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.2.i/swmr-dataset-has-layout--unknown.h5": {
        "informs": ["h5-ohdr-type-known"],
    },
    "invalid/FF-IV.A.2.m/swmr-attribute-names-unique--compact-and-dense.h5": {
        "fails": ["h5-attributes-one-storage"],
    },
    "invalid/FF-IV.A.2.q/swmr-ohdr-continuation-size--version-1-12-bytes.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.2.w/swmr-ohdr-reference-message-v2-only--attribute.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "invalid/FF-IV.A.2.w/swmr-ohdr-reference-message-v2-only--nil.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/3/swmr-eof-lags-while-writing--newest-chunk-behind.h5": {
        "informs": ["h5-risk-open-for-writing", "h5-risk-trailing-bytes"],
    },
    "valid/4.2/swmr-earray-page-checksum--element-131060.h5": {
        "informs": ["h5-risk-chunk-tiny"],
    },
    "valid/4.2/swmr-farray-page-checksum--library-latest.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/4.2/swmr-fractal-heap-block-checksum--without-checksums.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/6/swmr-chunk-decodes--deflated-twice.h5": {
        "informs": ["h5-risk-filter-many"],
    },
    "valid/6/swmr-chunk-decodes--library-earliest.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/6/swmr-chunk-decodes--library-latest.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/6/swmr-chunk-decodes--library-v108.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/6/swmr-chunk-decodes--library-v110.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/6/swmr-index-btree2-many-unlimited--library-latest.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/6/swmr-index-fixed-no-unlimited--library-v110.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/8.2/swmr-btree1-entries-used--library-v108.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/8.2/swmr-btree1-key-range--names-in-three-levels.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/8.2/swmr-btree1-signature--library-earliest.h5": {
        "informs": ["h5-risk-hidden-bytes"],
    },
    "valid/FF-II.A/swmr-superblock-eof--longer-file.h5": {
        "informs": ["h5-risk-trailing-bytes"],
    },
    "valid/FF-II.A/swmr-superblock-status-reserved--flags-1.h5": {
        "informs": ["h5-risk-open-for-writing"],
    },
    "valid/FF-II.A/swmr-superblock-status-reserved--flags-5.h5": {
        "informs": ["h5-risk-open-for-writing"],
    },
    "valid/FF-II.A/swmr-superblock-version--version-0.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-II.A/swmr-superblock-version--version-1.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-II.A/swmr-user-block-allowed--text-of-2048-bytes.h5": {
        "informs": ["h5-risk-user-block"],
    },
    "valid/FF-II.A/swmr-user-block-allowed--text-of-512-bytes.h5": {
        "informs": ["h5-risk-user-block"],
    },
    "valid/FF-III.A.2/swmr-dense-name-hash--forty-links.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-III.A.2/swmr-dense-record-order--one-hash-of-two-names.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-III.B/swmr-symbol-node-count--as-many-as-fit.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.B/swmr-symbol-node-count--eight-and-no-k.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.B/swmr-symbol-order--ascending.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.C/swmr-symbol-cache-type--of-each-type.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.C/swmr-symbol-name-in-heap--all-of-them.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.C/swmr-symbol-scratch-pad--library-earliest.h5": {
        "informs": ["h5-risk-external-link"],
    },
    "valid/FF-III.C/swmr-symbol-scratch-pad--nested.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.D/swmr-local-heap-free-list--as-many-as-fit-in-the-segment.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.D/swmr-local-heap-free-list--one-free-block.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.D/swmr-local-heap-free-list--undefined.h5": {
        "warns": ["h5-local-heap-empty-list-as-one", "h5-symbol-soft-link-address"],
    },
    "valid/FF-III.D/swmr-local-heap-segment--of-32-bytes.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.D/swmr-local-heap-signature--version-0.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-III.G/swmr-fractal-heap-block-offset--blocks-in-blocks.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-III.G/swmr-fractal-heap-geometry--as-usual.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-III.G/swmr-fractal-heap-id--of-20-bytes.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-III.G/swmr-fractal-heap-signature--ten-links.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-IV.A.1.a/swmr-ohdr-message-alignment--as-the-library-writes-it.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-IV.A.1.a/swmr-ohdr-message-count--continuation-and-nil.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-IV.A.1.a/swmr-ohdr-message-flags--what-may-be-shared.h5": {
        "informs": ["h5-ohdr-type-known"],
    },
    "valid/FF-IV.A.1.a/swmr-ohdr-reference-count--in-version-1.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-IV.A.1.a/swmr-ohdr-unknown-message-ignored--flags-00.h5": {
        "informs": ["h5-ohdr-type-known"],
    },
    "valid/FF-IV.A.1.a/swmr-ohdr-unknown-message-ignored--flags-08.h5": {
        "informs": ["h5-ohdr-type-known", "h5-risk-unknown-message"],
    },
    "valid/FF-IV.A.1.a/swmr-ohdr-unknown-message-ignored--flags-10.h5": {
        "informs": ["h5-ohdr-type-known"],
    },
    "valid/FF-IV.A.1/swmr-ohdr-version--of-either-version.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-IV.A.2.c/swmr-link-info-version--tracks-creation-order.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-IV.A.2.d/swmr-datatype-array-size--two-by-three.h5": {
        "warns": ["h5-datatype-array-reserved"],
    },
    "valid/FF-IV.A.2.d/swmr-datatype-class--one-of-each.h5": {
        "informs": ["h5-links-storage-as-phase"],
    },
    "valid/FF-IV.A.2.d/swmr-datatype-fits--forty-arrays.h5": {
        "informs": ["h5-risk-datatype-depth"],
    },
    "valid/FF-IV.A.2.d/swmr-datatype-fits--nested.h5": {
        "informs": ["h5-datatype-nested-version"],
    },
    "valid/FF-IV.A.2.d/swmr-datatype-fits--seventy-arrays.h5": {
        "informs": ["h5-risk-datatype-depth"],
    },
    "valid/FF-IV.A.2.d/swmr-datatype-reference-type--std-ref-of-version-1.h5": {
        "informs": ["h5-datatype-reference-revised-version"],
    },
    "valid/FF-IV.A.2.d/swmr-datatype-version--compound-of-version-1.h5": {
        "informs": ["h5-datatype-nested-version"],
    },
    "valid/FF-IV.A.2.g/swmr-link-flags-reserved--flags-1c.h5": {
        "warns": ["h5-link-order-as-info"],
    },
    "valid/FF-IV.A.2.g/swmr-link-message-fits--external-link.h5": {
        "informs": ["h5-risk-external-link"],
    },
    "valid/FF-IV.A.2.g/swmr-link-name-not-empty--one-letter.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-IV.A.2.g/swmr-link-names-unique--of-another-case.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
    "valid/FF-IV.A.2.g/swmr-link-type--soft-link.h5": {
        "informs": ["h5-risk-external-link"],
        "warns": ["h5-link-type-stored-hard"],
    },
    "valid/FF-IV.A.2.i/swmr-contiguous-size--more-than-needed.h5": {
        "warns": ["h5-contiguous-size-exact"],
    },
    "valid/FF-IV.A.2.i/swmr-layout-fits--of-every-kind.h5": {
        "informs": ["h5-links-storage-as-phase"],
    },
    "valid/FF-IV.A.2.l/swmr-filters-count--none.h5": {
        "informs": ["h5-filters-not-empty"],
    },
    "valid/FF-IV.A.2.l/swmr-filters-fit--name-in-version-1.h5": {
        "informs": ["h5-risk-filter-plugin"],
    },
    "valid/FF-IV.A.2.l/swmr-filters-fit--with-a-name.h5": {
        "informs": ["h5-risk-filter-plugin"],
    },
    "valid/FF-IV.A.2.l/swmr-filters-id--filter-32015.h5": {
        "informs": ["h5-risk-filter-plugin"],
    },
    "valid/FF-IV.A.2.q/swmr-ohdr-continuation-signature--in-version-1.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-IV.A.2.t/swmr-superblock-k-message--of-version-2-with-old-groups.h5": {
        "warns": ["h5-symbol-soft-link-address"],
    },
    "valid/FF-IV.A.2/swmr-ohdr-no-repeat--attributes-and-links.h5": {
        "informs": ["h5-risk-soft-link-dangling"],
    },
}
