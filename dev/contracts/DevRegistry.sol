// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The part of an ENS registry (ERC-137) that names on a development chain need. Its creator owns
/// the root.
contract DevRegistry {
    struct Record { address owner; address resolver; }

    mapping(bytes32 node => Record) private _records;

    event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner);
    event Transfer(bytes32 indexed node, address owner);
    event NewResolver(bytes32 indexed node, address resolver);

    modifier onlyOwner(bytes32 node) {
        require(_records[node].owner == msg.sender, "not the owner");
        _;
    }

    constructor() {
        _records[0].owner = msg.sender;
    }

    function owner(bytes32 node) external view returns (address) {
        return _records[node].owner;
    }

    function resolver(bytes32 node) external view returns (address) {
        return _records[node].resolver;
    }

    function recordExists(bytes32 node) external view returns (bool) {
        return _records[node].owner != address(0);
    }

    function setOwner(bytes32 node, address to) external onlyOwner(node) {
        _records[node].owner = to;
        emit Transfer(node, to);
    }

    function setResolver(bytes32 node, address to) external onlyOwner(node) {
        _records[node].resolver = to;
        emit NewResolver(node, to);
    }

    function setSubnodeOwner(bytes32 node, bytes32 label, address to) external returns (bytes32) {
        return _setSubnode(node, label, to);
    }

    function setSubnodeRecord(bytes32 node, bytes32 label, address to, address resolverTo) external returns (bytes32 subnode) {
        subnode = _setSubnode(node, label, to);
        _records[subnode].resolver = resolverTo;
        emit NewResolver(subnode, resolverTo);
    }

    function _setSubnode(bytes32 node, bytes32 label, address to) private onlyOwner(node) returns (bytes32 subnode) {
        subnode = keccak256(abi.encodePacked(node, label));
        _records[subnode].owner = to;
        emit NewOwner(node, label, to);
    }
}
