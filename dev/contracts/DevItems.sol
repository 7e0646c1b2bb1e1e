// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// An ERC-1155 for development chains: metadata from a web server, for one item from IPFS. Anyone
/// may mint.
contract DevItems is ERC1155 {
    string public constant name = "Dev Items";
    string public constant symbol = "dITEM";
    uint256 public constant ipfsItem = 4;
    address private immutable _owner = msg.sender;
    string private _ipfsUri;

    /// `webUri` contains `{id}`; `ipfsUri` is the URI of item 4.
    constructor(string memory webUri, string memory ipfsUri) ERC1155(webUri) {
        _ipfsUri = ipfsUri;
    }

    function uri(uint256 id) public view override returns (string memory) {
        return id == ipfsItem ? _ipfsUri : super.uri(id);
    }

    /// Changes the URI of the web server.
    function setUri(string calldata webUri) external {
        require(msg.sender == _owner, "not the owner");
        _setURI(webUri);
    }

    function mint(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}
